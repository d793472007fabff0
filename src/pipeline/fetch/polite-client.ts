import type { Settings } from '../../config/settings.ts';
import type { Fetcher, FetchRequest } from '../../ports/fetcher.ts';
import type { Guard } from '../../web/guard.ts';
import type { Pace } from './pace.ts';
import { createRobotsPolicy, type RobotsPolicy } from './robots-policy.ts';
import type { RobotsStore } from './robots-store.ts';
import type { Turn } from './turn.ts';
import { Visit } from './visit.ts';

/** The turn a task was claimed with: its requests to its own domain are sent in it, as long as it lasts. */
export interface HomeTurn {
  taskId: string;
  domain: string;
  domainId: string;
  proxyId: string | null;
  proxy: string | null;
  /** The delay the turn was made for. */
  delayMs: number;
  /** Undefined: the turn is over; the request takes a place like any other. */
  turn: Turn | undefined;
  /** Whether the domain was blocked after its tasks were claimed. */
  isClosed(): boolean;
  /** No more requests of the task go to this site: the next ones are for another domain. */
  left(): void;
}

export interface VisitOptions {
  /** False: robots.txt is not checked: for robots.txt itself, for public query services, and where a crawl says so. */
  robots?: boolean;
  userAgent?: string | undefined;
  /** Time of performance.now() by which each request must be under way. */
  deadlineAt: number;
  signal?: AbortSignal | undefined;
  /** The proxy to go through instead of the domain's own. */
  proxy?: string | undefined;
  home?: HomeTurn | undefined;
  /** The first request leaves now. */
  onStart?: (() => void) | undefined;
}

/** How a request is sent: goes into the request as it is. */
export type Way = Pick<FetchRequest, 'proxy' | 'notAfter' | 'onStart' | 'onRedirect' | 'signal'>;

/**
 * The only client for sites: pages, robots.txt, sitemaps, redirects, images, captures, scrapes, proxy tests. Every request, and
 * every hop of it, passes these policies in this order:
 *
 *   1. address     it can be read, and the guard lets it pass
 *   2. robots      robots.txt of its origin allows it (which is fetched first, by the same client)
 *   3. blocked     the domain is not blocked
 *   4. proxy       where the domain uses proxies, through one of them and never from our own address
 *   5. maintenance, circuit, turn: waited for, if they end before the caller's deadline; else DOMAIN_WAITING, CIRCUIT_OPEN
 *   6. the request itself
 *   7. hold        the delay after the answer
 *
 * 3 to 5 and 7 belong to the pace: shared by all processes (database-pace.ts), or of one without a database (memory-pace.ts). A
 * task's turn at its own domain replaces them.
 */
export interface PoliteClient {
  readonly robots: RobotsPolicy;
  /** `send` makes the request with the options it is given. Rejects with the error of a policy or of `send`. */
  visit<T>(url: string, options: VisitOptions, send: (way: Way) => Promise<T>): Promise<T>;
}

interface PoliteClientOptions {
  guard: Guard;
  /** For robots.txt. */
  fetcher: Fetcher;
  pace: Pace;
  robotsStore: RobotsStore;
  settings: Pick<Settings, 'fetch' | 'userAgent'>;
  now?(): number;
}

/** A start that is missed (the process was busy, the connection took long) is tried again so many times. */
const MAX_STARTS = 5;

export function createPoliteClient(options: PoliteClientOptions): PoliteClient {
  const client: PoliteClient = {
    robots: createRobotsPolicy({
      fetcher: options.fetcher,
      store: options.robotsStore,
      settings: options.settings,
      slowDown: (domain, delayMs) => options.pace.slowDown(domain, delayMs),
      visit: (url, visitOptions, send) => client.visit(url, visitOptions, send),
      ...(options.now === undefined ? {} : { now: options.now }),
    }),

    async visit(url, visitOptions, send) {
      for (let start = 1; ; start++) {
        await using visit = new Visit({ ...options, robots: client.robots }, visitOptions);
        try {
          return await send(await visit.begin(url));
        } catch (thrown) {
          const error = visit.explain(thrown);
          if (error.code !== 'TURN_OVER' || visitOptions.home !== undefined || start === MAX_STARTS) throw error;
        }
      }
    },
  };
  return client;
}
