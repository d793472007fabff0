import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileBlobs } from '../../src/drivers/blobs/files.ts';
import { blobsContract } from './blobs.contract.ts';
import { runContract } from './support/contract.ts';

for (const [name, options] of [
  ['files', {}],
  ['files, with packs that are full and swept at once', { packBytes: 100, idleMs: -1 }],
] as const)
  runContract(blobsContract, name, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
    return {
      open: async () => createFileBlobs({ folder, linkKey: async () => Buffer.alloc(32, 7), ...options }),
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    };
  });
