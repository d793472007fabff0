import { sleepUntil } from './sleep.ts';

export interface TurnTerms {
  /** Milliseconds between the starts of two requests; 0: they need not keep apart. */
  paceMs: number;
  /** Milliseconds from an answer to the next request, which runs alone; 0: requests do not wait for answers. */
  delayMs: number;
  /** The longer of both, and the margin that each request of the turn may lose to late timers. */
  stepMs: number;
  /** All of the turn, the margin at its end included. */
  lengthMs: number;
  /** Milliseconds from the database's now until the turn begins. */
  waitMs: number;
  /** Tasks that share it. */
  tasks: number;
}

/** A request's place in a turn. */
export interface TurnPlace {
  /** Time of performance.now() after which nothing may leave any more; undefined: the domain keeps neither pace nor delay. */
  readonly notAfter: number | undefined;
  /** The request leaves now. */
  started(): void;
  /** The site has answered, or nothing was sent. Later calls do nothing. */
  end(): void;
}

/**
 * A worker's turn at a domain: a period in which no other worker starts a request to it.
 *
 * The clocks of workers and database are never compared. The turn was measured at some moment between query and
 * answer: it begins as if that moment were the answer, and ends as if it were the query, so it is never too early
 * and never too late.
 *
 *   line ── pace ──► started ──► next in line        the pace counts from start to start; answers may take their time
 *   line ── delay ─► started ──► ended ──► next      the delay counts from the answer: the site has certainly seen the
 *                                                    request by then, however long it was delayed on the way
 *
 * With a delay and a pace both hold. A turn is as long as its requests may need at worst. When nothing more is sent in it,
 * the rest is free for others.
 */
export class Turn {
  readonly #terms: TurnTerms;
  readonly #lastSend: number;
  /** Tasks for which a request may still be started. */
  #tasks: number;
  #opensAt: number;
  #answeredAt: number | undefined;
  #used = false;
  #over = false;
  /** A request is about to start, or runs alone and has no answer yet. */
  #taken = false;
  readonly #line: (() => void)[] = [];

  constructor(terms: TurnTerms, askedAt: number, answeredAt: number) {
    this.#terms = terms;
    this.#opensAt = answeredAt + terms.waitMs;
    this.#lastSend = askedAt + terms.waitMs + terms.lengthMs - terms.stepMs;
    this.#tasks = terms.tasks;
  }

  /** Neither pace nor delay: no request waits, and the turn has no end. */
  get isFree(): boolean {
    return this.#terms.paceMs === 0 && this.#terms.delayMs === 0;
  }

  /** Each request waits for the answer to the one before. */
  get isSerial(): boolean {
    return this.#terms.delayMs > 0;
  }

  /** Whether a request was started in it. */
  get used(): boolean {
    return this.#used;
  }

  /** When the site last answered a request of this turn, or failed to. */
  get answeredAt(): number | undefined {
    return this.#answeredAt;
  }

  /** The earliest time for whatever is started next. */
  get opensAt(): number {
    return this.#opensAt;
  }

  /** Nothing more is started for one of the tasks. True for the last of them: the turn is over. */
  leave(): boolean {
    this.#over = --this.#tasks === 0;
    return this.#over;
  }

  /**
   * Waits for a place, in line; `ahead`: before the others, for a request that a redirect led to. Undefined: the turn is over,
   * nothing may be sent in it.
   */
  async enter(ahead = false): Promise<TurnPlace | undefined> {
    if (this.isFree) return this.#createPlace();
    if (this.#over) return undefined;
    if (this.#taken) await new Promise<void>((go) => (ahead ? this.#line.unshift(go) : this.#line.push(go)));
    this.#taken = true;
    await sleepUntil(Math.min(this.#opensAt, this.#lastSend + 1));
    if (!this.#over && performance.now() <= this.#lastSend && this.#opensAt <= this.#lastSend)
      return this.#createPlace();
    this.#next();
    return undefined;
  }

  #next(): void {
    this.#taken = false;
    const go = this.#line.shift();
    if (go === undefined) return;
    this.#taken = true;
    go();
  }

  #createPlace(): TurnPlace {
    const { paceMs, delayMs } = this.#terms;
    let started = false;
    let ended = false;
    return {
      notAfter: this.isFree ? undefined : this.#lastSend,
      started: () => {
        if (started || ended) return;
        started = true;
        this.#used = true;
        this.#opensAt = performance.now() + paceMs;
        if (delayMs === 0 && paceMs > 0) this.#next();
      },
      end: () => {
        if (ended) return;
        ended = true;
        if (started) {
          this.#answeredAt = performance.now();
          if (delayMs > 0) this.#opensAt = Math.max(this.#opensAt, this.#answeredAt + delayMs);
        }
        if (!this.isFree && (delayMs > 0 || !started)) this.#next();
      },
    };
  }
}
