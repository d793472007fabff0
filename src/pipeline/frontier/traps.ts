import { LRUCache } from 'lru-cache';

export interface TrapLimits {
  maxPerHost: number;
  maxQueryVariants: number;
  /** Addresses of one shape that differ only in a date. */
  maxDates: number;
  /** Near-duplicates of one shape before the shape is given up. */
  maxNearDuplicates: number;
}

interface Counter {
  count: number;
}

const DATE = /(?:19|20|21)\d{2}(?!\d)/;
const CALENDAR = /calend|archive|event|agenda|schedule|[?&](?:date|day|month|year|week|cal|from|to|start|end|m|y|d)=/i;

/**
 * Ends endless series of addresses: budgets per crawl and host, held in a bounded table. A worker that never saw a
 * crawl's earlier pages starts counting anew, so a trap costs at most one budget per worker.
 */
export class TrapGuard {
  readonly #limits: TrapLimits;
  readonly #counters = new LRUCache<string, Counter>({ max: 50_000 });
  readonly #alike = new LRUCache<string, Counter>({ max: 10_000 });

  constructor(limits: TrapLimits) {
    this.#limits = limits;
  }

  /** Why this new address looks endless, or undefined. Counts it when it is let through. */
  check(crawlId: string, url: string, host: string): string | undefined {
    const path = url.slice(url.indexOf(host) + host.length);
    const query = path.indexOf('?');
    const pathOnly = query < 0 ? path : path.slice(0, query);
    if (repeatsItself(pathOnly)) return 'the path repeats itself';
    const key = `${crawlId} ${host}`;
    if (query >= 0 || /\d/.test(path)) {
      const shape = shapeOf(path);
      if ((this.#alike.get(`${key} ${shape}`)?.count ?? 0) >= this.#limits.maxNearDuplicates)
        return 'pages of this shape are all alike';
      const dated = DATE.test(path) && CALENDAR.test(path);
      if (dated && !this.#take(`${key} d ${shape}`, this.#limits.maxDates)) return 'an endless calendar';
      if (query >= 0 && !this.#take(`${key} q ${pathOnly}`, this.#limits.maxQueryVariants))
        return 'endless query variants of one path';
    }
    return this.#take(`${key} h`, this.#limits.maxPerHost) ? undefined : 'the budget of this host is used up';
  }

  /** A fetched page that is nearly the same as an earlier one; a page of its own halves the suspicion. */
  report(crawlId: string, url: string, host: string, nearDuplicate: boolean): void {
    const key = `${crawlId} ${host} ${shapeOf(url.slice(url.indexOf(host) + host.length))}`;
    const counter = this.#alike.get(key);
    if (nearDuplicate) this.#alike.set(key, { count: (counter?.count ?? 0) + 1 });
    else if (counter !== undefined) counter.count = Math.floor(counter.count / 2);
  }

  #take(key: string, limit: number): boolean {
    const counter = this.#counters.get(key);
    if (counter === undefined) {
      this.#counters.set(key, { count: 1 });
      return limit >= 1;
    }
    counter.count++;
    return counter.count <= limit;
  }
}

/** An address with its numbers and values taken out: what a series has in common. */
function shapeOf(path: string): string {
  return path.replace(/=[^&]*/g, '=').replace(/\d+/g, '#');
}

/** The same segment three times or more: /a/b/a/b/a/b, the mark of a relative link gone wrong. */
function repeatsItself(path: string): boolean {
  const segments = path.split('/');
  if (segments.length < 5) return false;
  const seen = new Map<string, number>();
  for (const segment of segments) {
    if (segment === '') continue;
    const times = (seen.get(segment) ?? 0) + 1;
    if (times >= 3) return true;
    seen.set(segment, times);
  }
  return false;
}
