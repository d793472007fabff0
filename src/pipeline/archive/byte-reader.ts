/**
 * Reads a stream of bytes by lines and lengths. It holds what was pulled and not yet taken: at most the limit of a call and one
 * piece of the stream. Each byte is looked at once.
 */
export class ByteReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  #ended = false;
  /** Bytes taken so far. */
  position = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** The bytes up to and with `mark`; undefined when the stream ends, or `max` bytes pass, before it comes. */
  async readThrough(mark: Buffer, max: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const at = this.#held.indexOf(mark);
      if (at >= 0) {
        parts.push(this.#take(at + mark.length));
        return length + at + mark.length > max ? undefined : Buffer.concat(parts);
      }
      // The mark may lie across two pieces: its length stays behind.
      const whole = this.#held.length - (mark.length - 1);
      if (whole > 0) {
        parts.push(this.#take(whole));
        length += whole;
      }
      if (length > max || !(await this.#pull())) return undefined;
    }
  }

  /** Up to `length` bytes; fewer only at the end of the stream. */
  async read(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      if (this.#held.length === 0 && !(await this.#pull())) break;
      const part = this.#take(Math.min(missing, this.#held.length));
      missing -= part.length;
      parts.push(part);
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  /** Passes over bytes without keeping them; returns how many there were. */
  async skip(length: number): Promise<number> {
    let missing = length;
    while (missing > 0) {
      if (this.#held.length === 0 && !(await this.#pull())) break;
      missing -= this.#take(Math.min(missing, this.#held.length)).length;
    }
    return length - missing;
  }

  /** The next byte, which stays; undefined at the end. */
  async peek(): Promise<number | undefined> {
    if (this.#held.length === 0) await this.#pull();
    return this.#held[0];
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    this.position += length;
    return taken;
  }

  async #pull(): Promise<boolean> {
    while (!this.#ended) {
      const { done, value } = await this.#pieces.next();
      if (done === true) {
        this.#ended = true;
        return false;
      }
      if (value.length === 0) continue;
      const piece = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      this.#held = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
      return true;
    }
    return false;
  }
}
