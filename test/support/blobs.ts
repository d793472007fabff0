import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileBlobs } from '../../src/drivers/blobs/files.ts';
import type { Blobs } from '../../src/ports/blobs.ts';

/** A folder of blobs that is removed with them. */
export async function createTestBlobs(): Promise<Blobs> {
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  const blobs = createFileBlobs({ folder, linkKey: async () => Buffer.alloc(32, 7) });
  return {
    ...blobs,
    async [Symbol.asyncDispose]() {
      await blobs[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
