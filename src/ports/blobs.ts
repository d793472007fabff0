import type { Engine } from './engine.ts';

/** Part of a blob: from `start` up to but without `end`; absent: to its end. What lies behind the end is empty. */
export interface BlobRange {
  start: number;
  end?: number;
}

export interface BlobBody {
  /** Bytes of the whole blob, whatever the range. */
  size: number;
  /** The requested bytes, a piece at a time; each piece is fetched when the reader pulls it. */
  body: AsyncIterable<Uint8Array>;
}

/** What is behind a link. */
export interface LinkedBlob {
  reference: string;
  /** The file name the download gets. */
  name: string;
  contentType: string;
}

/**
 * Large bytes that are written once: raw responses, images, captures, exports, backups.
 *
 * Contract:
 * - `put` takes many small ones at once and returns one reference each, in order; `write` takes a single one of any size,
 *   a piece at a time, and never holds more than a few pieces. When they resolve, the bytes survive a crash of the process
 *   and of the machine. An input stream that fails leaves nothing behind, and its error reaches the caller.
 * - The same bytes stored again through the same store give the same reference for a day at least; later, or from
 *   another process, they may get another one. Both stay valid. So a reference may be shared: delete it only when nothing
 *   names it any more.
 * - `get` and `read` of an unknown reference are undefined; bytes come back as they were given, or it rejects: `read` at
 *   the latest with the last piece of a whole blob. Any reference may be given to both.
 * - `delete` of an unknown reference does nothing.
 * - `link` gives an address that serves the blob as a download to anyone who has it, until it expires: a URL, or a path below
 *   our own API where the driver has no server of its own. It does not say whether the blob is there.
 */
export interface Blobs extends Engine, AsyncDisposable {
  put(items: readonly Uint8Array[]): Promise<string[]>;
  get(reference: string): Promise<Uint8Array | undefined>;
  write(source: AsyncIterable<Uint8Array>): Promise<{ reference: string; size: number }>;
  read(reference: string, range?: BlobRange): Promise<BlobBody | undefined>;
  delete(references: readonly string[]): Promise<void>;
  /** All references, in batches, each once. */
  list(): AsyncIterable<string[]>;
  link(blob: LinkedBlob, expiresInS: number): Promise<string>;
  /**
   * What a link of ours leads to; present where `link` gives paths of our own. Undefined for what we never gave out, rejects
   * with LINK_EXPIRED for what is too old.
   */
  openLink?(token: string): Promise<LinkedBlob | undefined>;
}
