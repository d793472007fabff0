import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLanceFulltext } from '../../src/drivers/fulltext/lancedb.ts';
import { createMemoryFulltext } from '../../src/drivers/fulltext/memory.ts';
import { createPostgresFulltext } from '../../src/drivers/fulltext/postgres.ts';
import { createTestDatabase } from '../support/database.ts';
import { fulltextContract } from './fulltext.contract.ts';
import { runContract } from './support/contract.ts';

runContract(fulltextContract, 'memory', async () => createMemoryFulltext());
for (const [name, memoryRows] of [
  ['lancedb, held in memory', 1_000],
  ['lancedb, the table alone', 0],
] as const)
  runContract(fulltextContract, name, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fulltext-'));
    const fulltext = createLanceFulltext({ folder, memoryRows });
    const close = fulltext[Symbol.asyncDispose].bind(fulltext);
    return Object.assign(fulltext, {
      async [Symbol.asyncDispose]() {
        await close();
        await rm(folder, { recursive: true });
      },
    });
  });
runContract(fulltextContract, 'postgres', async () => {
  const database = await createTestDatabase();
  return Object.assign(createPostgresFulltext({ database }), {
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  });
});
