import { statfs } from 'node:fs/promises';
import { AppError } from '../../errors.ts';
import type { Blobs } from '../../ports/blobs.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { createLinks } from './links.ts';
import { ObjectFiles } from './object-files.ts';
import { createPackStore, type PackStoreOptions, toDiskError } from './pack-store.ts';

interface FileBlobsOptions extends PackStoreOptions {
  /** Signs links; the same for all processes of an installation. Read with the first link. */
  linkKey(): Promise<Uint8Array>;
}

/** What fits into this is kept in a pack, also when it comes as a stream. */
const SMALL_BYTES = 256 * 1024;

/** A folder: small blobs together in packs, large ones a file each. */
export function createFileBlobs({ linkKey, ...options }: FileBlobsOptions): Blobs {
  const packs = createPackStore(options);
  const objects = new ObjectFiles(options.folder);
  const links = createLinks(linkKey);

  const blobs: Bare<Blobs> = {
    put: packs.put,
    async get(reference) {
      if (!ObjectFiles.isReference(reference)) return packs.get(reference);
      const found = await objects.read(reference, { start: 0 });
      if (found === undefined) return undefined;
      const pieces: Uint8Array[] = [];
      for await (const piece of found.body) pieces.push(piece);
      return new Uint8Array(Buffer.concat(pieces));
    },
    async write(source) {
      const pieces = source[Symbol.asyncIterator]();
      const head: Uint8Array[] = [];
      let size = 0;
      while (size <= SMALL_BYTES) {
        const next = await pieces.next();
        if (next.done === true) return { reference: (await packs.put([Buffer.concat(head)]))[0]!, size };
        // A copy: the source may write the next piece to the same place.
        head.push(Uint8Array.from(next.value));
        size += next.value.length;
      }
      return await objects.write(joined(head, pieces)).catch((error: unknown) => {
        throw toDiskError(error);
      });
    },
    async read(reference, range = { start: 0 }) {
      if (ObjectFiles.isReference(reference)) return objects.read(reference, range);
      const bytes = await packs.get(reference);
      if (bytes === undefined) return undefined;
      const part = bytes.subarray(range.start, range.end);
      return { size: bytes.length, body: onePiece(part) };
    },
    async delete(references) {
      for (const reference of references.filter(ObjectFiles.isReference)) await objects.delete(reference);
      await packs.delete(references.filter((reference) => !ObjectFiles.isReference(reference)));
    },
    async *list() {
      yield* packs.list();
      yield* objects.list();
    },
    link: links.make,
    openLink: links.open,
    [Symbol.asyncDispose]: () => packs[Symbol.asyncDispose](),
  };
  return asEngine('files', blobs, async () => {
    // Unique bytes: a blob that is shared must not be deleted.
    const [reference = ''] = await packs.put([Buffer.from(crypto.randomUUID())]);
    if ((await packs.get(reference)) === undefined) throw new AppError('ENGINE_DOWN', 'bytes written are not there');
    await packs.delete([reference]);
    const { bavail, bsize } = await statfs(options.folder);
    return { detail: `${Math.floor((bavail * bsize) / 1e9)} GB free` };
  });
}

/** The whole stream again, after its first pieces were read. Its `return` is called when the rest is not read. */
async function* joined(head: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* head.splice(0);
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
