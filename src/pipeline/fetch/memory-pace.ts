import { type Pace, waitingError } from './pace.ts';
import { Turn } from './turn.ts';

interface MemoryPaceOptions {
  defaultRps: number;
  maxCrawlDelayMs: number;
}

/** The rows of turns of one process that keeps nothing: `crawl4r scrape` and `crawl4r map`. A turn there has no end. */
export function createMemoryPace({ defaultRps, maxCrawlDelayMs }: MemoryPaceOptions): Pace {
  const paceMs = defaultRps > 0 ? 1_000 / defaultRps : 0;
  const turns = new Map<string, { turn: Turn; delayMs: number }>();

  function begin(domain: string, delayMs: number, waitMs: number): Turn {
    const now = performance.now();
    const terms = { paceMs, delayMs, stepMs: 0, lengthMs: Number.POSITIVE_INFINITY, waitMs, tasks: 1 };
    const turn = new Turn(terms, now, now);
    turns.set(domain, { turn, delayMs });
    return turn;
  }

  return {
    async enter(domain, { deadlineAt, signal, proxy = null }) {
      signal?.throwIfAborted();
      const turn = turns.get(domain)?.turn ?? begin(domain, 0, 0);
      if (turn.opensAt > deadlineAt) throw waitingError(domain, turn.opensAt - performance.now(), 'turn');
      const place = (await turn.enter())!;
      return {
        domain,
        domainId: undefined,
        proxyId: null,
        proxy,
        notAfter: undefined,
        started: place.started,
        missed() {},
        end: async () => place.end(),
      };
    },
    async slowDown(domain, crawlDelayMs) {
      const delayMs = Math.min(crawlDelayMs, maxCrawlDelayMs);
      if (delayMs !== (turns.get(domain)?.delayMs ?? 0)) begin(domain, delayMs, Math.max(delayMs, paceMs));
      return delayMs;
    },
  };
}
