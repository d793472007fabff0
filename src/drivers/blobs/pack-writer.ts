import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Blob, compressBlobs, MAX_ENTRIES, makeHeader } from './pack.ts';

const BLOCK_BYTES = 512 * 1024;

interface PackWriterOptions {
  folder: string;
  packBytes: number;
  /** A pack that was not written to for this long is never written to again, so that others may rewrite it. */
  idleMs: number;
}

/** Where a blob is: the name of its pack, the home of its block, its number within the block. */
export interface Place {
  pack: string;
  home: number;
  index: number;
}

interface OpenPack {
  name: string;
  file: FileHandle;
  size: number;
  usedAt: number;
}

/** Appends to packs of its own; no other process writes to them. Calls must not overlap. */
export class PackWriter {
  readonly #options: PackWriterOptions;
  #pack: OpenPack | undefined;

  constructor(options: PackWriterOptions) {
    this.#options = options;
  }

  /** One place per blob, in order. When it resolves, all of them survive a crash of the machine. */
  async append(blobs: readonly Blob[]): Promise<Place[]> {
    const groups = groupBlobs(blobs);
    const payloads = await Promise.all(groups.map(compressBlobs));
    const pack = await this.#openPack();
    try {
      const places: Place[] = [];
      const buffers: Buffer[] = [];
      let end = pack.size;
      for (const [number, group] of groups.entries()) {
        const payload = payloads[number]!;
        const header = makeHeader(group, payload.length, end);
        for (const index of group.keys()) places.push({ pack: pack.name, home: end, index });
        buffers.push(header, payload);
        end += header.length + payload.length;
      }
      await writeAll(pack.file, buffers, pack.size);
      await pack.file.datasync();
      pack.size = end;
      pack.usedAt = Date.now();
      return places;
    } catch (error) {
      // What reached the file is unknown; readers skip a torn end, so the next call begins a new pack.
      await this.close().catch(() => {});
      throw error;
    }
  }

  async close(): Promise<void> {
    const pack = this.#pack;
    this.#pack = undefined;
    await pack?.file.close();
  }

  async #openPack(): Promise<OpenPack> {
    const { folder, packBytes, idleMs } = this.#options;
    const full = this.#pack !== undefined && this.#pack.size >= packBytes;
    const idle = this.#pack !== undefined && Date.now() - this.#pack.usedAt > idleMs;
    if (full || idle) await this.close();
    if (this.#pack !== undefined) return this.#pack;
    await mkdir(folder, { recursive: true });
    const name = Date.now().toString(36) + randomBytes(4).toString('hex');
    const file = await open(join(folder, `${name}.pack`), 'wx');
    await syncFolder(folder);
    this.#pack = { name, file, size: 0, usedAt: Date.now() };
    return this.#pack;
  }
}

export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** `writev` may write less than it was given, on a disk that fills up for one. */
export async function writeAll(file: FileHandle, buffers: readonly Uint8Array[], position: number): Promise<void> {
  const total = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  const { bytesWritten } = await file.writev(buffers, position);
  if (bytesWritten === total) return;
  const rest = Buffer.concat(buffers).subarray(bytesWritten);
  for (let done = 0; done < rest.length; ) {
    const { bytesWritten: more } = await file.write(rest, done, rest.length - done, position + bytesWritten + done);
    done += more;
  }
}

function groupBlobs(blobs: readonly Blob[]): Blob[][] {
  const groups: Blob[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const blob of blobs) {
    if (bytes + blob.bytes.length > BLOCK_BYTES || groups.at(-1)!.length === MAX_ENTRIES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push(blob);
    bytes += blob.bytes.length;
  }
  return groups;
}
