/**
 * Large bytes that are written once: raw responses, images, captures, exports.
 *
 * Contract:
 * - `put` returns one reference per input, in order; the same bytes give the same reference. When it resolves, the
 *   bytes survive a crash of the process and of the machine.
 * - `get` of an unknown reference is undefined; bytes come back as they were put, or it rejects.
 * - `delete` of an unknown reference does nothing.
 */
export interface Blobs extends AsyncDisposable {
  put(items: readonly Uint8Array[]): Promise<string[]>;
  get(reference: string): Promise<Uint8Array | undefined>;
  delete(references: readonly string[]): Promise<void>;
  /** All references, in batches, each once. */
  list(): AsyncIterable<string[]>;
}
