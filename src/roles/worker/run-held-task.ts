import type { Bell } from '../../bell.ts';
import { releaseTasks } from '../../db/frontier/frontier.ts';
import { toAppError } from '../../errors.ts';
import { createGate, createSlot } from '../../gate.ts';
import type { Log } from '../../log.ts';
import type { Templates } from '../../pipeline/extract/templates.ts';
import type { Grace } from '../../pipeline/fetch/grace.ts';
import type { CrawlContext } from '../../pipeline/frontier/crawl-context.ts';
import { type PipelineDeps, runTask } from '../../pipeline/pipeline.ts';
import type { Store } from '../../pipeline/store/store.ts';
import type { Database } from '../../ports/database.ts';
import type { HeldTask, HeldTasks } from './held-tasks.ts';
import type { Turns } from './turns.ts';

/** A page that was fetched and could not be stored (a full disk) would be fetched again at once, over and over. */
const REST_MS = 5_000;
/** Large pages held at once, from the moment they turn out to be large until they are stored. */
const LARGE_PAGES = 2;
const LARGE_BODY = 1024 * 1024;

interface RunnerDeps {
  database: Database;
  workerId: string;
  pipeline: PipelineDeps;
  store: Store;
  templates: Templates;
  crawlOf(crawlId: string): Promise<CrawlContext | undefined>;
  turns: Turns;
  held: HeldTasks;
  grace: Grace;
  bell: Bell;
  log: Log;
}

export interface TaskRunner {
  /** Milliseconds until the worker may claim again after it could not store. */
  restMs(): number;
  /** Runs a task through the pipeline and stores its outcome, or gives it back. Never rejects. */
  run(mine: HeldTask): Promise<void>;
}

/** Nothing begins after `signal` has aborted: what is under way is finished and stored, the rest goes back. */
export function createTaskRunner(deps: RunnerDeps, signal: AbortSignal): TaskRunner {
  const { database, workerId, store, templates, turns, grace, log } = deps;
  const largePages = createGate(LARGE_PAGES);
  let restUntil = 0;

  async function work(mine: HeldTask): Promise<void> {
    const { task, turn } = mine;
    using slot = createSlot(largePages);
    const crawl = await deps.crawlOf(task.crawl_id);
    const outcome =
      crawl === undefined || signal.aborted
        ? undefined
        : await runTask(deps.pipeline, task, crawl, turns.of(mine), slot);
    if (outcome === undefined) {
      if (!turn.used && !signal.aborted) grace.late();
      await releaseTasks(database, workerId, [task]);
      return;
    }
    // A site in trouble keeps its turn: what it said comes into force when the page is stored.
    if (outcome.feedback.ok !== false && outcome.feedback.slowDown !== true) turns.leave(mine);
    if (outcome.blocks !== undefined) templates.learn(task.domain_id, outcome.blocks);
    const { answeredAt } = turn;
    await store.add(task.delay_ms === 0 || answeredAt === undefined ? outcome : { ...outcome, answeredAt });
    freeLarge(outcome.raw);
  }

  return {
    restMs: () => restUntil - performance.now(),
    async run(mine) {
      const { task } = mine;
      try {
        await work(mine);
      } catch (error) {
        restUntil = performance.now() + REST_MS;
        const { code, message } = toAppError(error);
        log.error('task_not_stored', { task: task.id, url: task.url, code, error: message });
        await releaseTasks(database, workerId, [task]).catch(() => {});
      } finally {
        deps.held.remove(task);
        deps.bell.ring();
      }
    },
  };
}

/** Gives a large body back at once: the collector comes by when several of them have gathered. */
function freeLarge(body: Uint8Array | undefined): void {
  if (body !== undefined && body.length > LARGE_BODY && body.length === body.buffer.byteLength)
    (body.buffer as ArrayBuffer).transfer(0);
}
