import { availableParallelism } from 'node:os';
import type { App } from '../app.ts';
import { Bell } from '../bell.ts';
import { setCrawlDelay } from '../db/domains/domains.ts';
import {
  type ClaimedTask,
  claimTasks,
  holdDomain,
  markWaiting,
  nextDue,
  promoteDue,
  releaseTasks,
  renewLeases,
  reserveTurn,
} from '../db/frontier/frontier.ts';
import { askAgain, endTurn } from '../db/frontier/turns.ts';
import { markAlone } from '../db/tasks/finish-tasks.ts';
import { toAppError } from '../errors.ts';
import { createGate, createRoom } from '../gate.ts';
import { joinWorkers } from '../operations/admin/membership.ts';
import { createExtractPool } from '../pipeline/extract/pool.ts';
import { createTemplates } from '../pipeline/extract/templates.ts';
import { Grace } from '../pipeline/fetch/grace.ts';
import { holdAfter } from '../pipeline/fetch/hold-after.ts';
import { limitFetcher } from '../pipeline/fetch/limit-fetcher.ts';
import { takeProxyTurn } from '../pipeline/fetch/proxy-turn.ts';
import { createRobotsPolicy } from '../pipeline/fetch/robots-policy.ts';
import { sleepUntil, Turn, type TurnTerms } from '../pipeline/fetch/turn.ts';
import { followClosedDomains } from '../pipeline/frontier/closed-domains.ts';
import { createCrawlContexts } from '../pipeline/frontier/crawl-context.ts';
import { TrapGuard } from '../pipeline/frontier/traps.ts';
import { runTask } from '../pipeline/pipeline.ts';
import { createStore } from '../pipeline/store/store.ts';

interface Held {
  task: ClaimedTask;
  turn: Turn;
  /** When it was claimed, as long as the site has not answered. */
  askingSince: number | undefined;
  /** The site was asked for the page once more after it had answered. */
  askedAgain: boolean;
}

/** A task that was paused and resumed may be held twice: its older attempt is still on its way back. */
const keyOf = ({ id, attempt }: ClaimedTask) => `${id} ${attempt}`;

/** Room for this share of the worker must be free before it claims: large claims cost less than many small ones. */
const CLAIM_SHARE = 0.25;
/** A page that was fetched and could not be stored (a full disk) would be asked for again at once, over and over. */
const REST_MS = 5_000;
/**
 * A page the site is asked for longer than this no longer takes up room: sites that answer slowly, or never, would have
 * all of it in the end. As many as there is room for may do so.
 */
const SLOW_MS = 3_000;
/** Large pages held at once, from the moment they turn out to be large until they are stored. */
const LARGE_PAGES = 2;
const LARGE_BODY = 1024 * 1024;
/** How long before its time a domain's turn may be taken. */
const AHEAD_MS = 100;

/**
 * Fetches and extracts: claims tasks whenever there is room, runs each through the pipeline, and hands the outcomes to
 * the store. Ends when `signal` aborts: nothing new is claimed, what waits for its turn goes back, what is under way is
 * finished and stored.
 *
 *   room? ── claim ──► held ── runTask ──► store ──► room
 *     ▲                  │ lease lost meanwhile: the store refuses the outcome
 *     └── woken by an announcement, a stored page, a domain's time, or the poll
 *
 * A task that was held when a worker vanished is a suspect: it runs alone, so that a page that takes workers along is
 * told from the pages that happened to be beside it.
 */
export async function runWorker(app: App, signal: AbortSignal): Promise<void> {
  const { settings, database } = app;
  const log = app.log.child({ role: 'worker' });
  const held = new Map<string, Held>();
  const suspects: Held[] = [];
  await using membership = await joinWorkers(app, 'worker', () => ({ in_flight: held.size }));
  await using extractor = createExtractPool({
    threads: settings.worker.parseThreads || Math.max(1, availableParallelism() - 1),
    timeoutMs: settings.worker.parseTimeoutMs,
    memoryMb: settings.worker.parseMemoryMb,
  });
  await using closed = await followClosedDomains(database);
  const templates = createTemplates(database);
  const traps = new TrapGuard(settings.frontier);
  const crawlOf = createCrawlContexts(database);
  const bell = new Bell();
  const grace = new Grace();
  const largePages = createGate(LARGE_PAGES);
  const handOvers = new WeakMap<Turn, Promise<void>>();
  let restUntil = 0;

  const enterDomain = (domain: string) => takeProxyTurn(database, domain, settings.rateLimit.defaultRps);
  const takeTurn = async (domain: string, proxyId: string | null) => {
    const { wait_ms } = await reserveTurn(database, domain, proxyId, settings.rateLimit.defaultRps);
    if (wait_ms > 0) await sleepUntil(performance.now() + wait_ms);
  };
  /** Reading a page is the one step in which the page itself could end the worker: there a suspect is marked. */
  const watch = async <T>(task: ClaimedTask, body: Uint8Array, read: () => Promise<T>): Promise<T> => {
    const mine = held.get(keyOf(task));
    if (mine !== undefined) leaveTurn(mine);
    if (!isSuspect(task)) return read();
    await extractor.ready(body);
    await markAlone(database, task.id, task.attempt, true);
    try {
      return await read();
    } finally {
      await markAlone(database, task.id, task.attempt, false);
    }
  };
  const slowDown = async (domain: string, crawlDelayMs: number) => {
    const delayMs = Math.min(crawlDelayMs, settings.fetch.maxCrawlDelayS * 1_000);
    await setCrawlDelay(database, domain, delayMs);
    return delayMs;
  };
  const robots = createRobotsPolicy({
    fetcher: holdAfter(app.fetcher, (domain) => holdDomain(database, domain, settings.rateLimit.defaultRps)),
    database,
    settings,
    beforeFetch: enterDomain,
    onDelay: async (domain, delayMs) => void (await slowDown(domain, delayMs)),
  });
  const fetcher = limitFetcher(app.fetcher, settings.worker.concurrency);
  const store = createStore({
    database,
    blobs: app.blobs,
    dispatch: app.dispatch,
    traps,
    settings,
    workerId: membership.id,
  });
  const deps = {
    sql: database,
    fetcher,
    browser: app.browser,
    blobs: app.blobs,
    robots,
    extractor,
    traps,
    isClosed: closed.has,
    askAgain: async (task: ClaimedTask) => {
      const mine = held.get(keyOf(task));
      if (mine === undefined || task.delay_ms === 0) return;
      mine.askedAgain = true;
      await handOvers.get(mine.turn);
      await askAgain(database, membership.id, task);
    },
    takeTurn,
    enterDomain,
    watch,
    slowDown,
    userAgent: settings.userAgent,
    limits: settings.frontier,
    retry: {
      delaysMs: settings.job.retryDelaysS.map((seconds) => Number(seconds) * 1_000),
      deadLetterMs: settings.job.deadLetterDelaysS.map((seconds) => Number(seconds) * 1_000),
    },
    languages: settings.languages,
    boilerplateOf: templates.of,
  };

  /**
   * The site has answered what was asked for this task. After the last one of a turn the domain is open to all: pages
   * that are read and stored meanwhile, which may take longer than the turn did, hold nobody up.
   */
  function leaveTurn(mine: Held): void {
    if (mine.askingSince === undefined) return;
    mine.askingSince = undefined;
    const { task, turn } = mine;
    if (task.delay_ms === 0 || !turn.leave()) return;
    const answered = [...held.values()].filter((each) => each.turn === turn && !each.askedAgain);
    const handOver = endTurn(
      database,
      membership.id,
      answered.map((each) => each.task),
      { domainId: task.domain_id, proxyId: task.proxy_id, end: task.turn_end },
      Math.max(0, turn.opensAt - performance.now()),
    ).then(
      () => bell.ring(),
      (error: unknown) => log.warn('turn_not_handed_over', { error: toAppError(error).message }),
    );
    handOvers.set(turn, handOver);
  }

  async function work(mine: Held): Promise<void> {
    const { task, turn } = mine;
    using room = createRoom(largePages);
    try {
      const crawl = await crawlOf(task.crawl_id);
      const outcome = crawl === undefined || signal.aborted ? undefined : await runTask(deps, task, crawl, turn, room);
      if (outcome === undefined) {
        if (turn.answeredAt === undefined && !signal.aborted) grace.late();
        await releaseTasks(database, membership.id, [task]);
      } else {
        // A site in trouble keeps its turn: what it said comes into force when the page is stored.
        if (outcome.feedback.ok !== false && outcome.feedback.slowDown !== true) leaveTurn(mine);
        if (outcome.blocks !== undefined) templates.learn(task.domain_id, outcome.blocks);
        const { answeredAt } = turn;
        await store.add(task.delay_ms === 0 || answeredAt === undefined ? outcome : { ...outcome, answeredAt });
        freeLarge(outcome.raw);
      }
    } catch (error) {
      restUntil = performance.now() + REST_MS;
      const { code, message } = toAppError(error);
      log.error('task_not_stored', { task: task.id, url: task.url, code, error: message });
      await releaseTasks(database, membership.id, [task]).catch(() => {});
    } finally {
      held.delete(keyOf(task));
      bell.ring();
    }
  }

  function roomLeft(): number {
    const { inFlight } = settings.worker;
    const before = performance.now() - SLOW_MS;
    let slow = 0;
    for (const { askingSince } of held.values()) if (askingSince !== undefined && askingSince < before) slow++;
    return inFlight - held.size + Math.min(slow, inFlight);
  }

  async function claim(): Promise<number> {
    const askedAt = performance.now();
    const tasks = await claimTasks(database, {
      workerId: membership.id,
      max: roomLeft(),
      leaseMs: settings.worker.leaseS * 1_000,
      defaultRps: settings.rateLimit.defaultRps,
      defaultConcurrency: settings.worker.domainConcurrency,
      windowMs: settings.worker.windowMs,
      aheadMs: AHEAD_MS,
      graceMs: grace.ms,
    });
    const answeredAt = performance.now();
    grace.claimed(answeredAt - askedAt);
    const turns = new Map<string, Turn>();
    for (const task of tasks) {
      const turn = turns.get(task.domain_id) ?? new Turn(toTerms(task), askedAt, answeredAt);
      turns.set(task.domain_id, turn);
      const mine: Held = { task, turn, askingSince: answeredAt, askedAgain: false };
      held.set(keyOf(task), mine);
      if (isSuspect(task)) suspects.push(mine);
      else void work(mine);
    }
    return tasks.length;
  }

  /** Runs the next suspect when nothing else is under way; true while there are any. */
  async function runSuspect(): Promise<boolean> {
    const next = suspects[0];
    if (next === undefined) return false;
    if (held.size === suspects.length) {
      suspects.shift();
      void work(next);
    }
    await bell.wait(settings.worker.pollMs);
    return true;
  }

  /** Nothing to claim: waits for an announcement, a stored page, the next domain's time, or the poll. */
  async function idle(): Promise<void> {
    const due = await promoteDue(database, 1_000);
    await markWaiting(database, [...new Set(due.map((row) => row.domain_id))]);
    const waitMs =
      due.length > 0 ? 0 : Math.min(settings.worker.pollMs, Math.max(20, (await nextDue(database)) - AHEAD_MS));
    if (waitMs === 0) return;
    await bell.waitOr(async (stopped) => {
      const delivery = await app.dispatch.receive(settings.worker.inFlight, waitMs, stopped);
      await delivery.settle();
    }, waitMs);
  }

  const renewal = setInterval(() => {
    const tasks = [...held.values()].map(({ task }) => task);
    renewLeases(database, membership.id, tasks, settings.worker.leaseS * 1_000).catch((error: unknown) =>
      log.warn('leases_not_renewed', { error: toAppError(error).message }),
    );
  }, settings.worker.heartbeatS * 1_000);
  const stop = () => bell.ring();
  signal.addEventListener('abort', stop);
  try {
    while (!signal.aborted) {
      try {
        const restMs = restUntil - performance.now();
        if (restMs > 0) {
          await bell.wait(restMs);
          continue;
        }
        if (await runSuspect()) continue;
        if (roomLeft() < settings.worker.inFlight * CLAIM_SHARE) await bell.wait(settings.worker.pollMs);
        else if ((await claim()) === 0) await idle();
      } catch (error) {
        log.warn('claim_failed', { error: toAppError(error).message });
        await bell.wait(settings.worker.pollMs);
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    clearInterval(renewal);
    for (const { task } of suspects) held.delete(keyOf(task));
    await releaseTasks(
      database,
      membership.id,
      suspects.map(({ task }) => task),
    ).catch(() => {});
    while (held.size > 0) {
      await store.flush();
      await bell.wait(50);
    }
  }
}

const toTerms = (task: ClaimedTask): TurnTerms => ({
  delayMs: task.delay_ms,
  stepMs: task.step_ms,
  lengthMs: task.length_ms,
  waitMs: task.wait_ms,
  tasks: task.turn,
});

/** Gives a large body back at once: the collector comes by when several of them have gathered. */
function freeLarge(body: Uint8Array | undefined): void {
  if (body !== undefined && body.length > LARGE_BODY && body.length === body.buffer.byteLength)
    (body.buffer as ArrayBuffer).transfer(0);
}

/** It was held more than once when a worker vanished. */
const isSuspect = (task: ClaimedTask) => task.lost_workers > 1;
