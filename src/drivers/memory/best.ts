/** Keeps the best so many of the numbered scores it is shown: a heap with the worst of them on top. */
export class Best {
  readonly #limit: number;
  readonly #slots: Int32Array;
  readonly #scores: Float64Array;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#slots = new Int32Array(limit);
    this.#scores = new Float64Array(limit);
  }

  /** Only a higher score would still be taken. */
  get least(): number {
    return this.#size < this.#limit ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? Number.POSITIVE_INFINITY);
  }

  offer(slot: number, score: number): void {
    if (this.#size < this.#limit) this.#rise(this.#size++, slot, score);
    else if (score > this.least) this.#sink(slot, score);
  }

  /** Best first; of equal scores the lower slot. */
  take(): { slot: number; score: number }[] {
    return Array.from({ length: this.#size }, (_, at) => ({ slot: this.#slots[at]!, score: this.#scores[at]! })).sort(
      (a, b) => b.score - a.score || a.slot - b.slot,
    );
  }

  #rise(from: number, slot: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#scores[parent]! <= score) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, slot, score);
  }

  #sink(slot: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#scores[child + 1]! < this.#scores[child]!) child++;
      if (this.#scores[child]! >= score) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, slot, score);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#slots[from]!, this.#scores[from]!);
  }

  #set(at: number, slot: number, score: number): void {
    this.#slots[at] = slot;
    this.#scores[at] = score;
  }
}
