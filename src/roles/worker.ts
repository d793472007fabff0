import type { App } from '../app.ts';
import { Bell } from '../bell.ts';
import { renewLeases } from '../db/frontier/frontier.ts';
import { toAppError } from '../errors.ts';
import { joinWorkers } from '../operations/admin/membership.ts';
import { politeClient } from '../operations/polite-client.ts';
import { createTemplates, type Templates } from '../pipeline/extract/templates.ts';
import { Grace } from '../pipeline/fetch/grace.ts';
import { limitFetcher } from '../pipeline/fetch/limit-fetcher.ts';
import { followClosedDomains } from '../pipeline/frontier/closed-domains.ts';
import { createCrawlContexts } from '../pipeline/frontier/crawl-context.ts';
import { TrapGuard } from '../pipeline/frontier/traps.ts';
import type { PipelineDeps } from '../pipeline/pipeline.ts';
import { createStore } from '../pipeline/store/store.ts';
import { runClaimLoop } from './worker/claim-loop.ts';
import { HeldTasks } from './worker/held-tasks.ts';
import { createTaskRunner } from './worker/run-held-task.ts';
import { createBothSupplies, createFetchSupply, createParseSupply } from './worker/supply.ts';
import { Suspects } from './worker/suspects.ts';
import { Turns } from './worker/turns.ts';

/**
 * Fetches and extracts: claims tasks whenever it has free places, runs each through the pipeline, and passes the outcomes to
 * the store. Ends when `signal` aborts: nothing new is claimed, what waits for its turn goes back, what is under way is
 * finished and stored.
 *
 *   free? ── claim ──► held ── runTask ──► store ──► free
 *     ▲                  │ lease lost meanwhile: the store refuses the outcome
 *     └── woken by an announcement, a stored page, a domain's time, or the poll
 *
 * A worker does all of it. Where fetching and parsing scale apart, a fetcher stops when the response is stored and a parser
 * takes over from there; a worker takes over too, when nothing else is to be done.
 *
 * `supply.ts` says where tasks come from, `claim-loop.ts` claims, `turns.ts` ends turns, `suspects.ts` reads alone what may have ended a worker,
 * `run-held-task.ts` takes one task through the pipeline.
 */
export const runWorker = (app: App, signal: AbortSignal) => run(app, signal, 'worker');

/** Ends each task at `downloaded`: its response is stored, its domain goes on. */
export const runFetcher = (app: App, signal: AbortSignal) => run(app, signal, 'fetcher');

/** Takes over what fetchers have downloaded. */
export const runParser = (app: App, signal: AbortSignal) => run(app, signal, 'parser');

async function run(app: App, signal: AbortSignal, role: 'worker' | 'fetcher' | 'parser'): Promise<void> {
  const { settings, database, blobs, dispatch, pubsub, extractor } = app;
  const log = app.log.child({ role });
  const held = new HeldTasks(settings.worker.inFlight);
  const bell = new Bell();
  const grace = new Grace();
  const templates = createTemplates(database);
  const traps = new TrapGuard(settings.frontier);
  await using membership = await joinWorkers(app, role, () => ({ in_flight: held.size }));
  await using closed = await followClosedDomains(app.pubsub);
  const shared = { database, workerId: membership.id, held, bell, log };
  const turns = new Turns({ ...shared, secrets: app.secrets, isClosed: closed.has });
  const suspects = new Suspects({ database, extractor });
  const store = createStore({ database, blobs, dispatch, pubsub, traps, settings, workerId: membership.id });
  const pipeline: PipelineDeps = {
    ...toPipelineDeps(app, templates, traps),
    fetchOnly: role === 'fetcher',
    async watch(task, body, read) {
      const mine = held.find(task);
      if (mine !== undefined) turns.leave(mine);
      return suspects.watch(task, body, read);
    },
  };
  const crawlOf = createCrawlContexts(database);
  const runner = createTaskRunner({ ...shared, pipeline, store, templates, crawlOf, turns, grace }, signal);

  const fetches = createFetchSupply({ app, workerId: membership.id, grace });
  const parses = createParseSupply({ app, workerId: membership.id, grace });
  const supply = { worker: createBothSupplies(fetches, parses), fetcher: fetches, parser: parses }[role];

  const renewal = setInterval(() => {
    const tasks = [...held].map(({ task }) => task);
    renewLeases(database, membership.id, tasks, settings.worker.leaseS * 1_000).catch((error: unknown) =>
      log.warn('leases_not_renewed', { error: toAppError(error).message }),
    );
  }, settings.worker.heartbeatS * 1_000);
  const stop = () => bell.ring();
  signal.addEventListener('abort', stop);
  try {
    await runClaimLoop({ ...shared, app, supply, work: runner.run, restMs: runner.restMs }, signal);
  } finally {
    signal.removeEventListener('abort', stop);
    clearInterval(renewal);
    while (held.size > 0) {
      await store.flush();
      await bell.wait(50);
    }
  }
}

/** What the pipeline needs beside the worker's own tasks and turns. */
function toPipelineDeps(app: App, templates: Templates, traps: TrapGuard): Omit<PipelineDeps, 'watch'> {
  const { settings, database } = app;
  const toMs = (seconds: readonly unknown[]) => seconds.map((each) => Number(each) * 1_000);
  return {
    sql: database,
    polite: politeClient(app),
    fetcher: limitFetcher(app.fetcher, settings.worker.concurrency),
    browser: app.browser,
    blobs: app.blobs,
    secrets: app.secrets,
    extractor: app.extractor,
    traps,
    userAgent: settings.userAgent,
    pageTimeoutMs: settings.fetch.timeoutMs,
    limits: settings.frontier,
    retry: { delaysMs: toMs(settings.job.retryDelaysS), deadLetterMs: toMs(settings.job.deadLetterDelaysS) },
    languages: settings.languages,
    boilerplateOf: templates.of,
  };
}
