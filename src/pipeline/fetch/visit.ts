import { AppError, addFailure, toAppError } from '../../errors.ts';
import type { Hop } from '../../ports/fetcher.ts';
import type { Guard } from '../../web/guard.ts';
import { parseUrl } from '../../web/url.ts';
import { blockedError } from './blocked-error.ts';
import { type Pace, type Place, waitingError } from './pace.ts';
import type { HomeTurn, VisitOptions, Way } from './polite-client.ts';
import type { RobotsPolicy } from './robots-policy.ts';

interface VisitDeps {
  guard: Guard;
  pace: Pace;
  robots: RobotsPolicy;
}

/** A place that was missed elsewhere, in the middle of a task: its page is tried again after this. */
const MISSED_MS = 1_000;

/** One request from its first hop to its last. It has one place at a time: where it is now, or was last. */
export class Visit implements AsyncDisposable {
  readonly #deps: VisitDeps;
  readonly #options: VisitOptions;
  #domain: string | undefined;
  #place: Place | undefined;
  #started = false;
  #left = false;

  constructor(deps: VisitDeps, options: VisitOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  async begin(url: string): Promise<Way> {
    const { signal, onStart } = this.#options;
    const { proxy, notAfter } = await this.#enter(url);
    let told = false;
    return {
      ...(typeof proxy === 'string' && { proxy }),
      ...(notAfter !== undefined && { notAfter }),
      ...(signal !== undefined && { signal }),
      onStart: () => {
        this.#started = true;
        this.#place?.started();
        if (!told) onStart?.();
        told = true;
      },
      onRedirect: (_from, to) => this.#enter(to),
    };
  }

  /** Whose fault it was: another domain's failure must not count against the task's own, nor another proxy's. */
  explain(thrown: unknown): AppError {
    const { home } = this.#options;
    let error = toAppError(thrown);
    if (error.code === 'TURN_OVER' && this.#place !== undefined) {
      // Nothing was sent: the next request need not wait.
      this.#started = true;
      this.#place.missed();
      if (home !== undefined && this.#domain !== home.domain) error = waitingError(this.#domain!, MISSED_MS, 'turn');
    }
    if (error.failure?.domain !== undefined || this.#domain === undefined) return error;
    return addFailure(error, {
      domain: this.#domain,
      ...(this.#place !== undefined && { domainId: this.#place.domainId, proxyId: this.#place.proxyId }),
      ...error.failure,
      ...(home !== undefined && home.domain !== this.#domain && { elsewhere: true }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave();
  }

  async #enter(address: string): Promise<Hop> {
    const isFirst = this.#domain === undefined;
    const { url, domain } = this.#read(address, isFirst);
    const { home, deadlineAt, signal, proxy } = this.#options;
    await this.#leave();
    this.#domain = domain;
    if (home !== undefined && home.domain !== domain && !this.#left) {
      this.#left = true;
      home.left();
    }
    const crawlDelayMs = await this.#askRobots(url);
    const notBefore = home?.domain === domain ? home.turn?.opensAt : undefined;
    const options = { deadlineAt, signal, proxy, taskId: home?.taskId, notBefore };
    this.#place =
      (home?.domain === domain ? await this.#enterHome(home, isFirst, crawlDelayMs) : undefined) ??
      (await this.#deps.pace.enter(domain, options));
    this.#started = false;
    return { proxy: this.#place.proxy, notAfter: this.#place.notAfter };
  }

  #read(address: string, isFirst: boolean): { url: string; domain: string } {
    const parsed = parseUrl(address);
    if (!parsed.ok) {
      if (isFirst) throw new AppError(parsed.code, `${address}: ${parsed.reason}`);
      throw new AppError('REDIRECT_INVALID', `the site redirects to ${address}: ${parsed.reason}`);
    }
    const verdict = this.#deps.guard.checkUrl(new URL(parsed.url));
    if (!verdict.allowed) throw new AppError('URL_BLOCKED', `${parsed.origin}: ${verdict.reason}`);
    return parsed;
  }

  /** The delay robots.txt requires, 0 for none; rejects when it forbids the address or cannot be read. */
  async #askRobots(url: string): Promise<number> {
    const { robots = true, userAgent, onStart: _onStart, ...options } = this.#options;
    if (!robots) return 0;
    const verdict = await this.#deps.robots.check(url, { ...options, userAgent });
    if (verdict.allowed) return verdict.crawlDelayMs ?? 0;
    throw new AppError(verdict.code, verdict.reason, {
      ...(verdict.retryAfterMs !== undefined && { retryAfterMs: verdict.retryAfterMs }),
    });
  }

  /** A place in the task's own turn. Undefined: a redirect came back after the turn's end, and needs a place of its own. */
  async #enterHome(home: HomeTurn, isFirst: boolean, crawlDelayMs: number): Promise<Place | undefined> {
    const { domain, domainId, proxyId, proxy, turn } = home;
    const inTurn = turn !== undefined && !this.#left;
    if (inTurn && isFirst && crawlDelayMs > home.delayMs) {
      const delayMs = await this.#deps.pace.slowDown(domain, crawlDelayMs);
      if (delayMs > home.delayMs) throw new AppError('TURN_OVER', 'robots.txt asks for a longer delay');
    }
    const place = inTurn ? await turn.enter(!isFirst) : undefined;
    if (home.isClosed()) {
      place?.end();
      throw blockedError({ domain, blocked_reason: null });
    }
    if (place !== undefined) {
      const { notAfter, started } = place;
      return { domain, domainId, proxyId, proxy, notAfter, started, missed() {}, end: async () => place.end() };
    }
    if (inTurn && isFirst) throw new AppError('TURN_OVER', 'the turn ran out before the request was sent');
    return undefined;
  }

  /** A client that does not say when a request left is taken to have sent it at the last moment. */
  async #leave(): Promise<void> {
    const place = this.#place;
    if (place === undefined) return;
    if (!this.#started) place.started();
    this.#started = true;
    await place.end();
  }
}
