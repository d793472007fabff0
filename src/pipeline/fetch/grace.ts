const MAX_MS = 2_000;
const FIRST_MS = 50;
/** What is left of it after each claim that found nothing slow. */
const DECAY = 0.9;

/**
 * How much longer than its requests need a worker requests its turns to be. Between the claim and the first request lie the
 * claim's own answer and whatever the worker is busy with: on a machine under load that is more than a short turn lasts,
 * and without this a worker would return every turn unused, for ever.
 */
export class Grace {
  #ms = 0;
  #wasLate = false;

  /** For the next claim. */
  get ms(): number {
    return Math.min(MAX_MS, Math.ceil(this.#ms));
  }

  /** A claim was answered. */
  claimed(tookMs: number): void {
    const late = this.#wasLate ? Math.max(FIRST_MS, this.#ms * 2) : 0;
    this.#ms = Math.min(MAX_MS, Math.max(this.#ms * DECAY, tookMs * 2, late));
    this.#wasLate = false;
  }

  /** A turn was over before its first request could be sent. */
  late(): void {
    this.#wasLate = true;
  }
}
