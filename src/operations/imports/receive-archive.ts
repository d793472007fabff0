import type { z } from 'zod';
import type { App } from '../../app.ts';
import { AppError } from '../../errors.ts';
import type { ArchiveFile } from '../../pipeline/archive/archive-file.ts';
import type { Import } from './import.ts';
import { type ImportInput, startImport } from './start-import.ts';

/** Keeps an archive as it arrives, and queues its reading. Nothing of it stays when it does not arrive as a whole. */
export async function receiveArchive(
  app: App,
  body: AsyncIterable<Uint8Array>,
  input: z.output<typeof ImportInput>,
  createdBy: string,
): Promise<Import> {
  const { reference, size } = await app.blobs.write(limit(body, app.settings.imports.maxMb * 1024 * 1024));
  if (size === 0) throw new AppError('ARCHIVE_INVALID', 'the body is empty');
  return startImport(app, { ...input, blobRef: reference, createdBy });
}

async function* limit(body: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > max)
      throw new AppError('BODY_TOO_LARGE', `the archive is larger than ${max} bytes`, {
        hint: 'Use crawl4r import, or raise IMPORTS__MAX_MB.',
      });
    yield piece;
  }
}

/** A stored archive, to be read from any place. */
export async function openArchiveBlob(app: App, name: string, reference: string | null): Promise<ArchiveFile> {
  const whole = reference === null ? undefined : await app.blobs.read(reference, { start: 0, end: 0 });
  if (whole === undefined || reference === null)
    throw new AppError('RAW_MISSING', 'the archive of this import is no longer stored');
  return {
    name,
    size: whole.size,
    async *read(start, end) {
      const part = await app.blobs.read(reference, { start, ...(end === undefined ? {} : { end }) });
      if (part === undefined) throw new AppError('RAW_MISSING', 'the archive of this import is no longer stored');
      yield* part.body;
    },
  };
}
