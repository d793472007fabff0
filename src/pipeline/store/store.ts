import { LRUCache } from 'lru-cache';
import type { Settings } from '../../config/settings.ts';
import { recordFeedback } from '../../db/domains/domains.ts';
import { recordProxyHealth } from '../../db/proxies/proxy-health.ts';
import { type AppError, toAppError } from '../../errors.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { Database } from '../../ports/database.ts';
import type { Dispatch } from '../../ports/dispatch.ts';
import type { PubSub } from '../../ports/pubsub.ts';
import { admissionRules, ensureDomainIds } from '../frontier/admit-tasks.ts';
import { announceChanges, announceDownloads } from '../frontier/announce.ts';
import type { TrapGuard } from '../frontier/traps.ts';
import type { PageOutcome } from '../outcome.ts';
import { toFeedback } from './feedback.ts';
import { toProxyHealth } from './proxy-health.ts';
import { type BatchResult, storeBatch } from './store-batch.ts';

interface StoreDeps {
  database: Database;
  blobs: Blobs;
  dispatch: Dispatch;
  pubsub: PubSub;
  traps: TrapGuard;
  settings: Settings;
  workerId: string;
}

export interface Store {
  /** Resolves when the outcome is committed, or was refused because the task is no longer ours. */
  add(outcome: PageOutcome): Promise<void>;
  /** Commits what is waiting. */
  flush(): Promise<void>;
}

interface Waiting {
  outcome: PageOutcome;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const MAX_BATCH = 200;
const MAX_BYTES = 8 * 1024 * 1024;
/** A batch waits this long for company: pages of one moment are committed together. */
const LINGER_MS = 50;

/** Collects outcomes and commits them in batches, one batch at a time: what comes in meanwhile is the next batch. */
export function createStore(deps: StoreDeps): Store {
  const domainIds = new LRUCache<string, string>({ max: 50_000 });
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const start = () => {
    clearTimeout(timer);
    timer = undefined;
    running ??= run().finally(() => {
      running = undefined;
      if (waiting.length > 0) schedule();
    });
    return running;
  };
  const schedule = () => {
    if (running !== undefined || timer !== undefined) return;
    if (waiting.length >= MAX_BATCH) start();
    else timer = setTimeout(start, LINGER_MS);
  };

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch(waiting);
      waiting = waiting.slice(batch.length);
      await settle(batch);
      if (waiting.length < MAX_BATCH) break;
    }
  }

  /** A batch that cannot be stored is halved until the page that spoils it is alone; that page fails by itself. */
  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      await commit(batch.map((each) => each.outcome));
      for (const each of batch) each.resolve();
    } catch (thrown) {
      const error = toAppError(thrown);
      const [only] = batch;
      if (error.retryable) for (const each of batch) each.reject(error);
      else if (batch.length > 1) {
        await settle(batch.slice(0, batch.length >> 1));
        await settle(batch.slice(batch.length >> 1));
      } else if (only !== undefined && only.outcome.result.status !== 'failed')
        await settle([{ ...only, outcome: spoiled(only.outcome, error) }]);
      else only?.reject(error);
    }
  }

  async function commit(outcomes: readonly PageOutcome[]): Promise<void> {
    const [rawRefs] = await Promise.all([putRaw(deps.blobs, outcomes), learnDomains(outcomes)]);
    const known = new Map(
      outcomes.flatMap(({ candidates }) => candidates.map(({ domain }) => [domain, domainIds.get(domain)!])),
    );
    const result = await storeBatch(
      deps.database,
      {
        workerId: deps.workerId,
        ...admissionRules(deps.settings),
        recurrence: { floorS: deps.settings.frontier.minIntervalS, ceilingS: deps.settings.frontier.maxIntervalS },
      },
      { outcomes, rawRefs, domainIds: known },
    );
    for (const outcome of result.accepted) {
      for (const { url } of outcome.candidates) outcome.crawl.seen.add(url);
      const host = new URL(outcome.task.url).host;
      if (outcome.document !== undefined)
        deps.traps.report(outcome.task.crawl_id, outcome.task.url, host, result.nearDuplicates.has(outcome));
    }
    await afterCommit(result);
  }

  async function learnDomains(outcomes: readonly PageOutcome[]): Promise<void> {
    const missing = new Set(
      outcomes
        .flatMap(({ candidates }) => candidates.map(({ domain }) => domain))
        .filter((domain) => !domainIds.has(domain)),
    );
    for (const [domain, id] of await ensureDomainIds(deps.database, missing)) domainIds.set(domain, id);
  }

  /** Not part of the transaction: what a crash leaves undone here, the scheduler does a little later. */
  async function afterCommit(result: BatchResult): Promise<void> {
    const { threshold, timeoutS, halfOpenSuccesses } = deps.settings.circuitBreaker;
    const circuit = { threshold, timeoutS, halfOpenSuccesses, autothrottle: deps.settings.frontier.autothrottle };
    const { pairs, proxies } = toProxyHealth(result.accepted);
    const retried = result.accepted.filter(({ result: ended }) => ended.status === 'pending' && ended.delay_ms === 0);
    const waiting = [...result.admitted, ...retried.map(({ task }) => task)];
    const news = { waiting, crawls: result.crawls.map(({ id }) => id) };
    await announceChanges(deps, news, async (tx) => {
      await recordFeedback(tx, toFeedback(result.accepted), circuit);
      await recordProxyHealth(tx, pairs, proxies, deps.settings.proxy);
    });
    await announceDownloads(
      deps,
      result.accepted.filter(({ result: ended }) => ended.status === 'downloaded').map(({ task }) => task),
    );
  }

  return {
    add: (outcome) =>
      new Promise((resolve, reject) => {
        waiting.push({ outcome, resolve, reject });
        schedule();
      }),
    flush: async () => {
      while (waiting.length > 0 || running !== undefined) await start();
    },
  };
}

/** The page could not be written: the task fails with what the database said. */
function spoiled({ task, crawl, feedback }: PageOutcome, error: AppError): PageOutcome {
  const result = {
    status: 'failed' as const,
    code: error.code,
    message: error.message,
    http_status: null,
    response_ms: null,
    raw_meta: null,
    delay_ms: 0,
    failed: 1,
  };
  return { task, crawl, feedback, result, candidates: [], refused: {}, error };
}

function takeBatch(waiting: readonly Waiting[]): Waiting[] {
  let bytes = 0;
  let count = 0;
  while (count < waiting.length && count < MAX_BATCH && (count === 0 || bytes < MAX_BYTES)) {
    bytes += waiting[count]!.outcome.raw?.length ?? 0;
    count++;
  }
  return waiting.slice(0, count);
}

async function putRaw(blobs: Blobs, outcomes: readonly PageOutcome[]): Promise<Map<PageOutcome, string>> {
  const having = outcomes.filter((outcome) => outcome.raw !== undefined);
  const references = await blobs.put(having.map((outcome) => outcome.raw!));
  const kept = outcomes.flatMap((outcome) =>
    outcome.rawRef === undefined ? [] : [[outcome, outcome.rawRef] as const],
  );
  return new Map([...kept, ...having.map((outcome, index) => [outcome, references[index]!] as const)]);
}
