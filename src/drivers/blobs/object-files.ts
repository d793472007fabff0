import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import type { BlobBody, BlobRange } from '../../ports/blobs.ts';
import { ifThere } from './pack-folder.ts';
import { syncFolder, writeAll } from './pack-writer.ts';

const PIECE_BYTES = 256 * 1024;
const DRAFT = '.tmp-';
const DRAFT_MAX_AGE_MS = 86_400_000;

/**
 * Blobs too large for a pack, a file each, named by the SHA-256 of its bytes and not compressed: ranges are read where they
 * are, and what is large (images, archives) mostly is compressed already.
 *
 *   objects/ab/abcdef…   whole blobs; a file gets this name when all of it is on the disk
 *   objects/.tmp-…       being written
 */
export class ObjectFiles {
  readonly #folder: string;
  #tidied: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = join(folder, 'objects');
  }

  static isReference(reference: string): boolean {
    return /^object-[0-9a-f]{64}$/.test(reference);
  }

  async write(source: AsyncIterable<Uint8Array>): Promise<{ reference: string; size: number }> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#tidied ??= this.#tidy();
    await this.#tidied;
    const draft = join(this.#folder, DRAFT + randomBytes(8).toString('hex'));
    try {
      const { hash, size } = await writeDraft(draft, source);
      const home = join(this.#folder, hash.slice(0, 2));
      await mkdir(home, { recursive: true, mode: 0o700 });
      await rename(draft, join(home, hash));
      await syncFolder(home);
      await syncFolder(this.#folder);
      return { reference: `object-${hash}`, size };
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async read(reference: string, { start, end = Number.POSITIVE_INFINITY }: BlobRange): Promise<BlobBody | undefined> {
    const path = this.#path(reference);
    const size = (await ifThere(stat(path)))?.size;
    if (size === undefined) return undefined;
    const whole = start === 0 && end >= size;
    return { size, body: readPieces(path, start, Math.min(end, size), whole ? reference : undefined) };
  }

  async delete(reference: string): Promise<void> {
    await rm(this.#path(reference), { force: true });
  }

  async *list(): AsyncGenerator<string[]> {
    for (const prefix of (await ifThere(readdir(this.#folder))) ?? []) {
      if (prefix.startsWith(DRAFT)) continue;
      const names = (await ifThere(readdir(join(this.#folder, prefix)))) ?? [];
      if (names.length > 0) yield names.map((name) => `object-${name}`);
    }
  }

  /** Removes what a process left behind that ended while it wrote. */
  async #tidy(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (!name.startsWith(DRAFT)) continue;
      const path = join(this.#folder, name);
      const age = Date.now() - ((await ifThere(stat(path)))?.mtimeMs ?? Date.now());
      if (age > DRAFT_MAX_AGE_MS) await rm(path, { force: true });
    }
  }

  #path(reference: string): string {
    const hash = reference.slice('object-'.length);
    return join(this.#folder, hash.slice(0, 2), hash);
  }
}

async function writeDraft(path: string, source: AsyncIterable<Uint8Array>): Promise<{ hash: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  await using file = await open(path, 'wx', 0o600);
  for await (const piece of source) {
    hash.update(piece);
    await writeAll(file, [piece], size);
    size += piece.length;
  }
  await file.datasync();
  return { hash: hash.digest('hex'), size };
}

/** The file is opened when the first piece is read, so that an unread body holds no file handle. */
async function* readPieces(
  path: string,
  start: number,
  end: number,
  verified: string | undefined,
): AsyncGenerator<Uint8Array> {
  if (start >= end) return;
  await using file = await open(path, 'r');
  const hash = createHash('sha256');
  for (let at = start; at < end; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw damaged(path);
    at += bytesRead;
    if (verified !== undefined) hash.update(piece.subarray(0, bytesRead));
    // With the last piece, so that no reader takes a damaged blob for a whole one.
    if (at === end && verified !== undefined && `object-${hash.digest('hex')}` !== verified) throw damaged(path);
    yield piece.subarray(0, bytesRead);
  }
}

const damaged = (path: string) => new AppError('INTERNAL_ERROR', `blob ${path.split('/').at(-1)} is damaged on disk`);
