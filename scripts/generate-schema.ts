// Writes docs/schema.md from a freshly migrated database; with --check only says what is stale.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/db/migrate.ts';
import { createEmbeddedDatabase } from '../src/drivers/database/embedded.ts';
import { settleFile } from './generated-file.ts';
import { readSchema } from './schema/read-schema.ts';
import { writeDocument } from './schema/write-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'crawl4r-schema-'));
try {
  await using database = await createEmbeddedDatabase({ dataDir: folder, poolSize: 1, durable: false });
  await migrate(database);
  const tables = await readSchema(database);
  settleFile('docs/schema.md', writeDocument(tables));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
