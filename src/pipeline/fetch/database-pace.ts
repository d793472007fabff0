import { LRUCache } from 'lru-cache';
import { ensureDomains, setCrawlDelay } from '../../db/domains/domains.ts';
import {
  checkPlace,
  type EndedPlace,
  endPlace,
  handOverPlace,
  type PlaceTerms,
  renewPlace,
  takePlace,
} from '../../db/frontier/places.ts';
import { toProxyAddress } from '../../db/proxies/proxy-address.ts';
import { type PickedProxy, pickProxy } from '../../db/proxies/proxy-health.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Sql } from '../../ports/database.ts';
import { processName } from '../../process-name.ts';
import type { Secrets } from '../../secrets.ts';
import { blockedError } from './blocked-error.ts';
import { type EnterOptions, type Pace, type Place, waitingError } from './pace.ts';
import { sleepUntil } from './sleep.ts';

interface DatabasePaceOptions {
  sql: Sql;
  /** Opens the passwords of proxies. */
  secrets: Secrets;
  defaultRps: number;
  defaultConcurrency: number;
  maxCrawlDelayMs: number;
}

/** A process that dies with a place leaves it to the others after this time at the latest: the scheduler of its machine is earlier. */
const LEASE_MS = 30_000;
/**
 * How late a request may start where starts are paced: the connection may have to be made first. Others behind it wait
 * that much longer, so it is learned for each domain.
 */
const FIRST_GRACE_MS = 1_000;
const MIN_GRACE_MS = 100;
const MAX_GRACE_MS = 10_000;
const MAX_DOMAINS = 10_000;
/** How often a request looks whether those before it are done: soon at first, then less often. */
const FIRST_POLL_MS = 25;
const LAST_POLL_MS = 500;

/**
 * The rows of turns that all processes share, for requests that are not a task's own. The policies, in order: the domain
 * is not blocked → its proxies → maintenance window, circuit and turn → what is under way → hold after the answer.
 */
export function createDatabasePace(options: DatabasePaceOptions): Pace {
  const { sql, secrets, defaultRps, defaultConcurrency } = options;
  const graces = new LRUCache<string, number>({ max: MAX_DOMAINS });
  const holder = processName();

  /** An unknown domain gets its row here, so that its pace is kept from the first request on. */
  async function findWay(domain: string): Promise<PickedProxy> {
    let way = await pickProxy(sql, domain);
    if (way === undefined) {
      await ensureDomains(sql, [{ id: newId(), domain }]);
      way = (await pickProxy(sql, domain))!;
    }
    if (!way.is_active) throw blockedError({ domain, blocked_reason: way.blocked_reason });
    return way;
  }

  /** False: the place is of no use any more, and a new one is needed. */
  async function waitForStart(place: SharedPlace, enter: EnterOptions): Promise<boolean> {
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 2, LAST_POLL_MS)) {
      const state = await checkPlace(sql, place.id, enter.taskId ?? null, defaultConcurrency);
      if (state === undefined) return false;
      if (!state.is_active) throw blockedError({ domain: place.domain, blocked_reason: state.blocked_reason });
      if (state.has_free_place && state.opens_in_ms === 0) return true;
      const waitMs = Math.max(pollMs, state.opens_in_ms);
      if (performance.now() + waitMs > enter.deadlineAt) throw waitingError(place.domain, waitMs, 'turn');
      await sleepUntil(performance.now() + waitMs, enter.signal);
      // One that goes alone keeps its place: all behind it wait. Where starts are paced, its start has passed by.
      if (!state.alone) return false;
    }
  }

  return {
    async enter(domain, enter) {
      const way = await findWay(domain);
      const proxy = enter.proxy ?? (way.proxy === null ? null : toProxyAddress(way.proxy, secrets));
      if (way.uses_proxies && proxy === null)
        throw new AppError('PROXY_UNAVAILABLE', `every proxy of ${domain} is off`, { retryAfterMs: 30_000 });
      const proxyId = enter.proxy === undefined ? way.proxy_id : null;
      for (;;) {
        enter.signal?.throwIfAborted();
        const id = newId();
        const graceMs = graces.get(domain) ?? FIRST_GRACE_MS;
        const askedAt = performance.now();
        const maxWaitMs = Math.max(0, enter.deadlineAt - askedAt);
        const leaseMs = LEASE_MS;
        const terms = await takePlace(sql, { id, holder, domain, proxyId, defaultRps, maxWaitMs, graceMs, leaseMs });
        if (terms === undefined) throw new AppError('PROXY_UNAVAILABLE', `the proxy of ${domain} was taken away`);
        if (!terms.taken) throw waitingError(domain, terms.wait_ms, terms.held_by);
        const place = new SharedPlace(
          { sql, learn: (ms) => graces.set(domain, Math.ceil(Math.min(MAX_GRACE_MS, Math.max(MIN_GRACE_MS, ms)))) },
          { id, domain, domainId: way.domain_id, proxyId, proxy },
          terms,
          { askedAt, answeredAt: performance.now(), graceMs },
        );
        try {
          await sleepUntil(Math.max(place.opensAt, enter.notBefore ?? 0), enter.signal);
          if (await waitForStart(place, enter)) return place;
          await place.end();
        } catch (error) {
          await place.end();
          throw error;
        }
      }
    },
    async slowDown(domain, crawlDelayMs) {
      const delayMs = Math.min(crawlDelayMs, options.maxCrawlDelayMs);
      await setCrawlDelay(sql, domain, delayMs);
      return delayMs;
    },
  };
}

interface SharedPlaceDeps {
  sql: Sql;
  /** How late requests to the domain may start from now on. */
  learn(graceMs: number): void;
}

/** A place in the database. As with turns, its beginning counts from the answer and its end from the question. */
class SharedPlace implements Place {
  readonly id: string;
  readonly domain: string;
  readonly domainId: string;
  readonly proxyId: string | null;
  readonly proxy: string | null;
  readonly opensAt: number;
  readonly notAfter: number | undefined;
  readonly #deps: SharedPlaceDeps;
  readonly #terms: PlaceTerms;
  readonly #graceMs: number;
  readonly #renewal: NodeJS.Timeout;
  #startedAt: number | undefined;
  #ended = false;

  constructor(
    deps: SharedPlaceDeps,
    way: { id: string; domain: string; domainId: string; proxyId: string | null; proxy: string | null },
    terms: PlaceTerms,
    times: { askedAt: number; answeredAt: number; graceMs: number },
  ) {
    ({ id: this.id, domain: this.domain, domainId: this.domainId, proxyId: this.proxyId, proxy: this.proxy } = way);
    this.#deps = deps;
    this.#terms = terms;
    this.#graceMs = times.graceMs;
    this.opensAt = times.answeredAt + Math.max(0, terms.wait_ms);
    // A request that runs alone may be late: no other one starts before it has ended.
    const isPaced = terms.pace_ms > 0 && terms.delay_ms === 0;
    this.notAfter = isPaced ? times.askedAt + Math.max(0, terms.wait_ms) + times.graceMs : undefined;
    const leaseMs = LEASE_MS + terms.delay_ms;
    this.#renewal = setInterval(() => void renewPlace(deps.sql, this.id, leaseMs).catch(() => {}), LEASE_MS / 3);
  }

  started(): void {
    if (this.#startedAt !== undefined) return;
    this.#startedAt = performance.now();
    if (this.notAfter === undefined) return;
    this.#deps.learn(2 * (this.#startedAt - this.opensAt));
    // One that cannot be handed over now is given back with the answer.
    void handOverPlace(this.#deps.sql, this.#given()).catch(() => {});
  }

  missed(): void {
    this.#deps.learn(2 * this.#graceMs);
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#renewal);
    // One that cannot be given back is given up when its lease ends.
    await endPlace(this.#deps.sql, this.#given()).catch(() => {});
  }

  #given(): EndedPlace {
    const { delay_ms, pace_ms, place_end } = this.#terms;
    const now = performance.now();
    const opensAt = this.#startedAt === undefined ? now : Math.max(now + delay_ms, this.#startedAt + pace_ms);
    const { id, domain, proxyId } = this;
    return { id, domain, proxyId, end: place_end, opensInMs: Math.max(0, opensAt - now) };
  }
}
