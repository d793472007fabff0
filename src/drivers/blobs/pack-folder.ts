import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Blob, type Block, compressBlobs, GONE, makeHeader, readBlock, readHeader, scanPack } from './pack.ts';
import { type Place, syncFolder, writeAll } from './pack-writer.ts';

const PACK = '.pack';
/** Beside each pack, one line per dead blob: `home.index`. Only ever appended to, by any process. */
const DEAD = '.dead';
const TEMPORARY_MAX_AGE_MS = 3_600_000;

interface DeadBlobs {
  size: number;
  places: Set<string>;
}

const deadKey = (home: number, index: number) => `${home}.${index}`;

/** All packs of a folder, of every process: find, list, delete and compact. */
export class PackFolder {
  readonly #folder: string;
  readonly #dead = new Map<string, DeadBlobs>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Names of packs, oldest first; with `since`, only those written to after it. */
  async names(since = 0): Promise<string[]> {
    const files = await ifThere(readdir(this.#folder));
    const packs = (files ?? []).filter((file) => file.endsWith(PACK)).sort();
    const names: string[] = [];
    for (const file of packs) {
      if (since > 0 && ((await ifThere(stat(join(this.#folder, file))))?.mtimeMs ?? 0) < since) continue;
      names.push(file.slice(0, -PACK.length));
    }
    return names;
  }

  /** The blobs of a block, by the home of the block; undefined when it is gone. */
  async read(pack: string, home: number): Promise<{ block: Block; blobs: Buffer[] } | undefined> {
    const file = await ifThere(open(this.#path(pack), 'r'));
    if (file === undefined) return undefined;
    try {
      const direct = await readHeader(file, home, (await file.stat()).size);
      if (direct?.home === home) return { block: direct, blobs: await readBlock(file, direct) };
    } finally {
      await file.close();
    }
    // The pack was rewritten: its blocks moved, and only they know from where.
    for await (const { block, file } of scanPack(this.#path(pack)))
      if (block.home === home) return { block, blobs: await readBlock(file, block) };
    return undefined;
  }

  /** Every blob that is alive, block by block. */
  async *scan(pack: string): AsyncGenerator<{ place: Place; hash: string }[]> {
    const dead = await this.#deadOf(pack);
    if ((await ifThere(stat(this.#path(pack)))) === undefined) return;
    for await (const { block } of scanPack(this.#path(pack)))
      yield block.entries.flatMap(({ hash }, index) =>
        isAlive(dead, block.home, index, hash) ? [{ place: { pack, home: block.home, index }, hash }] : [],
      );
  }

  /** Whether a blob that was once written is still there; a removed pack has no list of deleted blobs any more. */
  async holds({ pack, home, index }: Place): Promise<boolean> {
    if ((await this.#deadOf(pack)).has(deadKey(home, index))) return false;
    return (await ifThere(stat(this.#path(pack)))) !== undefined;
  }

  /** Marks blobs of one pack as dead, for all processes and for good. */
  async bury(pack: string, places: readonly Place[]): Promise<void> {
    if ((await ifThere(stat(this.#path(pack)))) === undefined) return;
    const known = await this.#deadOf(pack);
    const lines = places.map(({ home, index }) => deadKey(home, index)).filter((key) => !known.has(key));
    if (lines.length === 0) return;
    const fresh = known.size === 0;
    {
      await using file = await open(this.#path(pack, DEAD), 'a');
      // Led by a line break: the last line of a writer that crashed may be torn.
      await file.appendFile(`\n${lines.join('\n')}\n`);
      await file.datasync();
    }
    if (fresh) await syncFolder(this.#folder);
  }

  /**
   * Writes a pack anew without its dead when they are most of it. Only for packs no one writes to any more, which is
   * known by their age. Two processes that do it at once both leave a valid pack behind.
   */
  async sweep(pack: string, quietMs: number): Promise<void> {
    const path = this.#path(pack);
    const before = await ifThere(stat(path));
    if (before === undefined || Date.now() - before.mtimeMs < quietMs) return;
    const dead = await this.#deadOf(pack);
    let live = 0;
    let total = 0;
    for await (const { block } of scanPack(path))
      for (const [index, { hash, length }] of block.entries.entries()) {
        if (hash !== GONE) total += length + 1;
        if (isAlive(dead, block.home, index, hash)) live += length + 1;
      }
    if (live === 0) {
      await rm(path, { force: true });
      await rm(this.#path(pack, DEAD), { force: true });
      this.#dead.delete(pack);
    } else if (live * 2 < total) await this.#rewrite(pack, dead, before.mtime);
  }

  async #rewrite(pack: string, dead: Set<string>, mtime: Date): Promise<void> {
    const temporary = this.#path(pack, `.tmp-${randomBytes(4).toString('hex')}`);
    {
      await using target = await open(temporary, 'wx');
      let end = 0;
      for await (const { block, file } of scanPack(this.#path(pack))) {
        const bytes = await readBlock(file, block);
        const blobs = block.entries.map(
          ({ hash }, index): Blob =>
            isAlive(dead, block.home, index, hash)
              ? { hash, bytes: bytes[index]! }
              : { hash: GONE, bytes: Buffer.alloc(0) },
        );
        if (blobs.every(({ hash }) => hash === GONE)) continue;
        const payload = await compressBlobs(blobs);
        const header = makeHeader(blobs, payload.length, block.home);
        await writeAll(target, [header, payload], end);
        end += header.length + payload.length;
      }
      await target.sync();
    }
    await utimes(temporary, mtime, mtime);
    await rename(temporary, this.#path(pack));
    await syncFolder(this.#folder);
  }

  /** Removes what a rewrite left behind that did not end. */
  async tidy(): Promise<void> {
    for (const file of (await ifThere(readdir(this.#folder))) ?? []) {
      if (!file.includes('.tmp-')) continue;
      const age = Date.now() - ((await ifThere(stat(join(this.#folder, file))))?.mtimeMs ?? Date.now());
      if (age > TEMPORARY_MAX_AGE_MS) await rm(join(this.#folder, file), { force: true });
    }
  }

  async #deadOf(pack: string): Promise<Set<string>> {
    const size = (await ifThere(stat(this.#path(pack, DEAD))))?.size ?? 0;
    const known = this.#dead.get(pack);
    if (known !== undefined && known.size === size) return known.places;
    if (size === 0) return new Set();
    await using file = await open(this.#path(pack, DEAD), 'r');
    const places = new Set((await file.readFile('utf8')).split('\n').filter((line) => /^\d+\.\d+$/.test(line)));
    this.#dead.set(pack, { size, places });
    return places;
  }

  #path(pack: string, ending = PACK): string {
    return join(this.#folder, pack + ending);
  }
}

const isAlive = (dead: Set<string>, home: number, index: number, hash: string) =>
  hash !== GONE && !dead.has(deadKey(home, index));

/** Undefined for a file or folder that does not exist. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
