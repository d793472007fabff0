import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLanceVectors } from '../../src/drivers/vectors/lancedb.ts';
import { createMemoryVectors } from '../../src/drivers/vectors/memory.ts';
import { vectorsContract } from './vectors.contract.ts';

vectorsContract('memory', async () => createMemoryVectors({ dimension: 4 }));
vectorsContract('lancedb', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vectors-'));
  const vectors = createLanceVectors({ folder, space: 'test', dimension: 4 });
  const close = vectors[Symbol.asyncDispose].bind(vectors);
  return Object.assign(vectors, {
    async [Symbol.asyncDispose]() {
      await close();
      await rm(folder, { recursive: true });
    },
  });
});
