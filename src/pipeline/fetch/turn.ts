export interface TurnTerms {
  /** Milliseconds between two requests; 0: no waiting. */
  delayMs: number;
  /** Delay plus the margin that each request of the turn may lose to late timers and slow answers. */
  stepMs: number;
  /** All of the turn, the margin at its end included. */
  lengthMs: number;
  /** Milliseconds from the database's now until the turn begins. */
  waitMs: number;
  /** Tasks that share it. */
  tasks: number;
}

/**
 * A worker's turn at a domain: a stretch of time in which nobody else sends to it.
 *
 * The clocks of workers and database are never compared. The turn was measured at some moment between asking and being
 * answered: it begins as if that moment were the answer, and ends as if it were the question, so it is never too early
 * and never too late. Within the turn, a request waits for the delay after the one before was *answered*, or failed: the
 * site has certainly seen it by then, however long it was held up on the way.
 *
 * A turn is as long as its requests may need at worst. When all its tasks have left it, the rest is there for others.
 */
export class Turn {
  readonly #delay: number;
  readonly #lastSend: number;
  /** Tasks for which the site may still be asked. */
  #tasks: number;
  #nextSend: number;
  #answeredAt: number | undefined;
  #line: Promise<unknown> = Promise.resolve();

  constructor(terms: TurnTerms, askedAt: number, answeredAt: number) {
    this.#delay = terms.delayMs;
    this.#nextSend = answeredAt + terms.waitMs;
    this.#lastSend = askedAt + terms.waitMs + terms.lengthMs - terms.stepMs;
    this.#tasks = terms.tasks;
  }

  /** When the site last answered a request of this turn, or failed to. */
  get answeredAt(): number | undefined {
    return this.#answeredAt;
  }

  /** The earliest time for whatever is sent next. */
  get opensAt(): number {
    return this.#nextSend;
  }

  /** The site is asked no more for one of the tasks. True for the last of them: nothing more is sent in this turn. */
  leave(): boolean {
    return --this.#tasks === 0;
  }

  /**
   * For a request that leads to another one, a redirect: waits for the delay, before those who stand in line. False: the
   * turn is over by then, or has no delay, and the request needs a place of its own.
   */
  async takeHop(): Promise<boolean> {
    if (this.#delay === 0) return false;
    this.noteAnswer();
    await sleepUntil(this.#nextSend);
    return performance.now() <= this.#lastSend;
  }

  /** The site has answered a request, or failed to: the delay counts from now. */
  noteAnswer(): void {
    this.#answeredAt = performance.now();
    this.#nextSend = this.#answeredAt + this.#delay;
  }

  /**
   * Waits for its place and sends, one request at a time. `send` is given the time after which nothing may leave any
   * more. Undefined: the turn is over, nothing was sent.
   */
  async take<T>(send: (notAfter: number | undefined) => Promise<T>): Promise<T | undefined> {
    if (this.#delay === 0) return send(undefined);
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const before = this.#line;
    this.#line = left;
    await before;
    try {
      await sleepUntil(Math.min(this.#nextSend, this.#lastSend + 1));
      if (performance.now() > this.#lastSend || this.#nextSend > this.#lastSend) return undefined;
      try {
        return await send(this.#lastSend);
      } finally {
        this.noteAnswer();
      }
    } finally {
      leave();
    }
  }
}

/** Timers may fire a little early; this never does. */
export async function sleepUntil(time: number): Promise<void> {
  for (let left = time - performance.now(); left > 0; left = time - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)));
  }
}
