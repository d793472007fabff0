import type { Engine } from './engine.ts';

/**
 * Large bytes that are written once: raw responses, images, captures, exports.
 *
 * Contract:
 * - `put` returns one reference per input, in order. When it resolves, the bytes survive a crash of the process and
 *   of the machine. The same bytes put again through the same store give the same reference for a day at least; later,
 *   or from another process, they may get another one. Both stay valid.
 * - So a reference may be shared: delete it only when nothing names it any more.
 * - `get` of an unknown reference is undefined; bytes come back as they were put, or it rejects.
 * - `delete` of an unknown reference does nothing.
 */
export interface Blobs extends Engine, AsyncDisposable {
  put(items: readonly Uint8Array[]): Promise<string[]>;
  get(reference: string): Promise<Uint8Array | undefined>;
  delete(references: readonly string[]): Promise<void>;
  /** All references, in batches, each once. */
  list(): AsyncIterable<string[]>;
}
