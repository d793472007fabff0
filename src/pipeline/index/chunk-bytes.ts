/**
 * The most a chunk may hold, whatever its tokens say: a word that the model does not know is one token, however long
 * it is.
 */
export const MAX_CHUNK_BYTES = 10 * 1024;

/** Whether a part of the text is short enough. A UTF-16 unit takes three bytes at most, so most parts need no count. */
export const fitsBytes = (text: string, start: number, end: number): boolean =>
  (end - start) * 3 <= MAX_CHUNK_BYTES ||
  (end - start <= MAX_CHUNK_BYTES && Buffer.byteLength(text.slice(start, end)) <= MAX_CHUNK_BYTES);
