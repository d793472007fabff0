export interface TurnTerms {
  /** Milliseconds between two requests; 0: no waiting. */
  delayMs: number;
  /** Delay plus the margin that each request of the turn may lose to late timers and slow answers. */
  stepMs: number;
  /** All of the turn, the margin at its end included. */
  lengthMs: number;
  /** Milliseconds from the database's now until the turn begins. */
  waitMs: number;
}

/**
 * A worker's turn at a domain: a stretch of time in which nobody else sends to it.
 *
 * The clocks of workers and database are never compared. The turn was measured at some moment between asking and being
 * answered: it begins as if that moment were the answer, and ends as if it were the question, so it is never too early
 * and never too late. Within the turn, the next request waits for the delay after the last one was *answered* (the site
 * has certainly seen it by then), or for the full step when the answer takes longer than the margin.
 */
export class Turn {
  readonly #delay: number;
  readonly #step: number;
  readonly #lastSend: number;
  #nextSend: number;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(terms: TurnTerms, askedAt: number, answeredAt: number) {
    this.#delay = terms.delayMs;
    this.#step = terms.stepMs;
    this.#nextSend = answeredAt + terms.waitMs;
    this.#lastSend = askedAt + terms.waitMs + terms.lengthMs - terms.stepMs;
  }

  /** Waits for the next place. False: the turn is over, nothing may be sent. */
  enter(): Promise<boolean> {
    if (this.#delay === 0) return Promise.resolve(true);
    const entered = this.#queue.then(async () => {
      await sleepUntil(this.#nextSend);
      const now = performance.now();
      if (now > this.#lastSend) return false;
      this.#nextSend = now + this.#step;
      return true;
    });
    this.#queue = entered;
    return entered;
  }

  /** The site answered the latest request. */
  answered(): void {
    this.#nextSend = Math.min(this.#nextSend, performance.now() + this.#delay);
  }
}

/** Timers may fire a little early; this never does. */
export async function sleepUntil(time: number): Promise<void> {
  for (let left = time - performance.now(); left > 0; left = time - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)));
  }
}
