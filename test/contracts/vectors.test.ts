import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLanceVectors } from '../../src/drivers/vectors/lancedb.ts';
import { createMemoryVectors } from '../../src/drivers/vectors/memory.ts';
import { runContract } from './support/contract.ts';
import { vectorsContract } from './vectors.contract.ts';

runContract(vectorsContract, 'memory', async () => createMemoryVectors({ dimension: 4 }));
for (const [name, memoryRows] of [
  ['lancedb, held in memory', 1_000],
  ['lancedb, the table alone', 0],
] as const)
  runContract(vectorsContract, name, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vectors-'));
    const vectors = createLanceVectors({ folder, space: 'test', dimension: 4, memoryRows });
    const close = vectors[Symbol.asyncDispose].bind(vectors);
    return Object.assign(vectors, {
      async [Symbol.asyncDispose]() {
        await close();
        await rm(folder, { recursive: true });
      },
    });
  });
