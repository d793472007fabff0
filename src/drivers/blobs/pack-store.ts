import { hash as digest } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';
import type { Blobs } from '../../ports/blobs.ts';
import { type Blob, GONE } from './pack.ts';
import { PackFolder } from './pack-folder.ts';
import { PackWriter, type Place } from './pack-writer.ts';

export interface PackStoreOptions {
  folder: string;
  packBytes?: number;
  idleMs?: number;
}

interface Recent {
  reference: string;
  /** False for what an earlier process wrote: its last write may never have reached the disk whole. */
  proven: boolean;
}

export type PackStore = Pick<Blobs, 'put' | 'get' | 'delete' | 'list' | typeof Symbol.asyncDispose>;

const DAY_MS = 86_400_000;
const MAX_RECENT = 50_000;
/** Reading pages in the order they were put unpacks each block once. */
const READ_CACHE_BYTES = 8 * 1024 * 1024;

/**
 * Small blobs in append-only pack files, one `fdatasync` per batch; beside one file per blob, that takes a tenth of the CPU
 * time. Each process writes packs of its own. A reference says where the bytes are and what they hash to, so reading
 * needs no index. Bytes that were put within the last day are not stored again.
 */
export function createPackStore({
  folder,
  packBytes = 128 * 1024 * 1024,
  idleMs = 600_000,
}: PackStoreOptions): PackStore {
  const packs = new PackFolder(folder);
  const writer = new PackWriter({ folder, packBytes, idleMs });
  const recent = new LRUCache<string, Recent>({ max: MAX_RECENT, ttl: DAY_MS });
  const blocks = new LRUCache<string, NonNullable<Awaited<ReturnType<PackFolder['read']>>>>({
    maxSize: READ_CACHE_BYTES,
    sizeCalculation: ({ blobs }) => blobs.reduce((sum, bytes) => sum + bytes.length, 1),
  });
  const inFlight = new Map<string, Promise<string>>();
  let waiting: { blob: Blob; resolve: (reference: string) => void; reject: (error: unknown) => void }[] = [];
  let writing: Promise<void> | undefined;
  let ready: Promise<void> | undefined;

  async function loadRecent(): Promise<void> {
    await packs.tidy();
    for (const pack of await packs.names(Date.now() - DAY_MS))
      for await (const found of packs.scan(pack))
        for (const { place, hash } of found) recent.set(hash, { reference: format(place, hash), proven: false });
  }

  /** Everything that came in while the last batch was written is the next batch. */
  async function writeBatches(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const places = await writer.append(batch.map(({ blob }) => blob));
        for (const [index, { blob, resolve }] of batch.entries()) {
          const reference = format(places[index]!, blob.hash);
          recent.set(blob.hash, { reference, proven: true });
          resolve(reference);
        }
      } catch (error) {
        for (const { reject } of batch) reject(toDiskError(error));
      }
    }
  }

  async function store(blob: Blob): Promise<string> {
    const known = recent.get(blob.hash);
    if (known !== undefined) {
      const place = parse(known.reference)!;
      const usable = known.proven
        ? await packs.holds(place)
        : (await read(known.reference).catch(() => {})) !== undefined;
      if (usable) {
        known.proven = true;
        return known.reference;
      }
    }
    return new Promise((resolve, reject) => {
      waiting.push({ blob, resolve, reject });
      writing ??= writeBatches().finally(() => {
        writing = undefined;
      });
    });
  }

  function put(bytes: Uint8Array): Promise<string> {
    const hash = hashOf(bytes);
    const before = inFlight.get(hash);
    if (before !== undefined) return before;
    const stored = store({ hash, bytes }).finally(() => inFlight.delete(hash));
    inFlight.set(hash, stored);
    return stored;
  }

  async function read(reference: string): Promise<Uint8Array | undefined> {
    const place = parse(reference);
    if (place === undefined || !(await packs.holds(place))) return undefined;
    const key = `${place.pack}-${place.home}`;
    const found = blocks.get(key) ?? (await packs.read(place.pack, place.home));
    if (found === undefined || found.block.entries[place.index]?.hash !== place.hash) return undefined;
    blocks.set(key, found);
    const bytes = found.blobs[place.index]!;
    if (hashOf(bytes) !== place.hash) throw new AppError('INTERNAL_ERROR', `blob ${reference} is damaged on disk`);
    return Uint8Array.from(bytes);
  }

  return {
    async put(items) {
      ready ??= loadRecent();
      await ready;
      return Promise.all(items.map(put));
    },
    get: read,
    async delete(references) {
      const byPack = Map.groupBy(
        references.map(parse).filter((place) => place !== undefined),
        ({ pack }) => pack,
      );
      for (const [pack, places] of byPack) {
        await packs.bury(pack, places);
        for (const { home, hash } of places) {
          recent.delete(hash);
          blocks.delete(`${pack}-${home}`);
        }
        await packs.sweep(pack, 2 * idleMs);
      }
    },
    async *list() {
      for (const pack of await packs.names())
        for await (const found of packs.scan(pack))
          if (found.length > 0) yield found.map(({ place, hash }) => format(place, hash));
    },
    async [Symbol.asyncDispose]() {
      await writing;
      await writer.close();
    },
  };
}

/** The first half of a SHA-256: still beyond any chance meeting. */
const hashOf = (bytes: Uint8Array) => {
  const hash = digest('sha256', bytes, 'hex').slice(0, 32);
  return hash === GONE ? GONE.replace(/.$/, '1') : hash;
};

const format = ({ pack, home, index }: Place, hash: string) =>
  `${pack}-${home.toString(36)}-${index.toString(36)}-${hash}`;

function parse(reference: string): (Place & { hash: string }) | undefined {
  const [, pack, home, index, hash] =
    /^([0-9a-z]{12,24})-([0-9a-z]{1,9})-([0-9a-z]{1,3})-([0-9a-f]{32})$/.exec(reference) ?? [];
  if (pack === undefined) return undefined;
  return { pack, home: Number.parseInt(home!, 36), index: Number.parseInt(index!, 36), hash: hash! };
}

export function toDiskError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('DISK_FULL', 'the disk of the data folder is full', { cause: error });
  if (code === 'EACCES' || code === 'EROFS')
    return new AppError('DATA_DIR_UNUSABLE', 'the blob folder cannot be written to', { cause: error });
  return error;
}
