import type { App } from '../../app.ts';
import { wakeReaders } from '../../db/events/wake-readers.ts';
import { type ClaimedTask, claimTasks, markWaiting, nextDue } from '../../db/frontier/frontier.ts';
import { promoteDue } from '../../db/frontier/promote.ts';
import { takeOverTasks } from '../../db/frontier/take-over.ts';
import type { Grace } from '../../pipeline/fetch/grace.ts';
import { Turn, type TurnTerms } from '../../pipeline/fetch/turn.ts';
import type { Work } from '../../ports/dispatch.ts';
import type { HeldTask } from './held-tasks.ts';

/** Where a worker's tasks come from. */
export interface Supply {
  /** What is delivered to it: domains to fetch, or tasks to parse. */
  readonly work: Work;
  /** Takes up to `max` tasks: of these domains, or these tasks, where some were delivered; else the best of all. */
  claim(max: number, ids?: readonly string[]): Promise<HeldTask[]>;
  /** Milliseconds after which something may be due without an announcement; 0: now. */
  waitMs(): Promise<number>;
}

interface SupplyDeps {
  app: App;
  workerId: string;
  grace: Grace;
}

/** How long before its time a domain's turn may be taken. */
const AHEAD_MS = 100;

/** Tasks to fetch, by turns of their domains. */
export function createFetchSupply({ app, workerId, grace }: SupplyDeps): Supply {
  const { database, settings } = app;
  const { worker, rateLimit } = settings;
  return {
    work: 'fetch',
    async claim(max, ids) {
      const askedAt = performance.now();
      const tasks = await claimTasks(database, {
        workerId,
        max,
        leaseMs: worker.leaseS * 1_000,
        defaultRps: rateLimit.defaultRps,
        defaultConcurrency: worker.domainConcurrency,
        windowMs: worker.windowMs,
        aheadMs: AHEAD_MS,
        graceMs: grace.ms,
        domainIds: ids,
      });
      const answeredAt = performance.now();
      grace.claimed(answeredAt - askedAt);
      if (tasks.some(({ starts_crawl }) => starts_crawl)) await wakeReaders(app.pubsub);
      const turns = new Map<string, Turn>();
      return tasks.map((task) => {
        const turn = turns.get(task.domain_id) ?? new Turn(toTerms(task), askedAt, answeredAt);
        turns.set(task.domain_id, turn);
        return { task, turn, askingSince: answeredAt, inTurn: true };
      });
    },
    async waitMs() {
      const due = await promoteDue(database, 1_000);
      await markWaiting(database, [...new Set(due.map((row) => row.domain_id))]);
      return due.length > 0 ? 0 : Math.max(20, (await nextDue(database)) - AHEAD_MS);
    },
  };
}

/** Tasks whose response is stored. */
export function createParseSupply({ app, workerId }: SupplyDeps): Supply {
  const { worker } = app.settings;
  return {
    work: 'parse',
    async claim(max, ids) {
      const tasks = await takeOverTasks(app.database, { workerId, max, leaseMs: worker.leaseS * 1_000, ids });
      const now = performance.now();
      return tasks.map((task) => ({
        task,
        turn: new Turn(toTerms(task), now, now),
        askingSince: undefined,
        inTurn: false,
      }));
    },
    waitMs: async () => worker.pollMs,
  };
}

/** The first, and the second when that has nothing: a worker ends what a fetcher left behind. */
export const createBothSupplies = (first: Supply, second: Supply): Supply => ({
  work: first.work,
  async claim(max, ids) {
    const taken = await first.claim(max, ids);
    return taken.length > 0 || ids !== undefined ? taken : second.claim(max);
  },
  waitMs: first.waitMs,
});

const toTerms = (task: ClaimedTask): TurnTerms => ({
  paceMs: task.pace_ms,
  delayMs: task.delay_ms,
  stepMs: task.step_ms,
  lengthMs: task.length_ms,
  waitMs: task.wait_ms,
  tasks: task.turn,
});
