import { createPostgresDatabase } from '../../src/drivers/database/postgres.ts';
import { createIndexer } from '../../src/pipeline/index/indexer.ts';
import { createIndexApp } from './index-app.ts';

/** An indexer in a process of its own, to be killed. Arguments: database, folder. */
const [url = '', folder = ''] = process.argv.slice(2);
const database = await createPostgresDatabase({ url, poolSize: 4 });
const app = await createIndexApp(database, { folder });
process.stdout.write('ready\n');
await createIndexer(app, { pollMs: 20, leaseS: 2 }).run(AbortSignal.timeout(600_000));
