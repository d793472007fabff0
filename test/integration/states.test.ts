import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { getCrawlRow } from '../../src/db/crawls/crawls.ts';
import { CRAWL_MOVES, CRAWLS_OVER, type CrawlStatus } from '../../src/db/crawls/states.ts';
import { type ClaimedTask, claimTasks, markWaiting, releaseTasks } from '../../src/db/frontier/frontier.ts';
import { endTurn } from '../../src/db/frontier/turns.ts';
import { expireLeases } from '../../src/db/tasks/finish-tasks.ts';
import { TASK_MOVES, TASKS_OVER, type TaskMove, type TaskStatus } from '../../src/db/tasks/states.ts';
import { AppError } from '../../src/errors.ts';
import { controlCrawl } from '../../src/operations/crawls/control-crawl.ts';
import { controlTask } from '../../src/operations/tasks/control-task.ts';
import { seedCandidate } from '../../src/pipeline/frontier/admit-links.ts';
import { toContext } from '../../src/pipeline/frontier/crawl-context.ts';
import { storeBatch } from '../../src/pipeline/store/store-batch.ts';
import { promote, recover } from '../../src/scheduler/recover.ts';
import { retryFailed } from '../../src/scheduler/retry-failed.ts';
import { seedCrawl } from '../support/crawls.ts';
import { createEngine, type Engine } from '../support/engine.ts';

const WORKER = 'w';

/** What a step may do to tasks; a step on a crawl or by the scheduler may do several. */
const MAY: Record<string, TaskMove[]> = {
  claim: ['claim'],
  answer: ['answer'],
  release: ['release'],
  store: ['finish'],
  reap: ['reap'],
  due: ['revive'],
  pause: ['pause'],
  resume: ['resume'],
  cancel: ['cancel'],
  restart: ['restart'],
  'restart-parsing': ['restart'],
};

interface Command {
  step: keyof typeof MAY;
  /** Which of the tasks, or of those held; beyond them the whole crawl. */
  at: number;
  end: (typeof TASK_MOVES.finish.to)[number];
  links: number;
}

const command: fc.Arbitrary<Command> = fc.record({
  step: fc.oneof(
    { arbitrary: fc.constantFrom('claim', 'store'), weight: 3 },
    { arbitrary: fc.constantFrom(...Object.keys(MAY)), weight: 4 },
  ),
  at: fc.nat(9),
  end: fc.constantFrom(...TASK_MOVES.finish.to),
  links: fc.nat(2),
});

let engine: Engine;
before(async () => {
  engine = await createEngine({ JOB__DEAD_LETTER_DELAYS_S: '0.001', JOB__DEAD_LETTER_REOPENS: 'true' });
});
after(() => engine[Symbol.asyncDispose]());

let site = 0;

/** A small crawl, taken through the commands by the functions the program itself uses. */
class Machine {
  readonly #held: ClaimedTask[] = [];
  readonly #domain = `s${++site}.test`;
  crawlId = '';
  #links = 0;

  async open(recurring: boolean): Promise<void> {
    const urls = ['a', 'b', 'c'].map((path) => `http://${this.#domain}/${path}`);
    const task = { is_recurring: recurring, interval_s: 3_600 };
    this.crawlId = await seedCrawl(engine.database, urls, { options: { recurring }, max_pages: 6, task });
  }

  async take({ step, at, end, links }: Command): Promise<void> {
    const { app, database } = engine;
    if (step === 'claim') return this.#claim();
    if (step === 'due') {
      await database.query('UPDATE tasks SET due_at = now() WHERE crawl_id = $1', [this.crawlId]);
      await promote(app);
      await retryFailed(app);
      return;
    }
    if (step === 'reap') {
      await expireLeases(database, [WORKER]);
      await recover(app);
      return;
    }
    const held = this.#held[at % Math.max(1, this.#held.length)];
    if (['answer', 'release', 'store'].includes(step)) {
      if (held === undefined) return;
      if (step === 'answer')
        await endTurn(database, WORKER, [held], { domainId: held.domain_id, proxyId: null, end: held.turn_end }, 0);
      else if (step === 'release') await releaseTasks(database, WORKER, [held]);
      else await this.#store(held, end, links);
      return;
    }
    const tasks = await this.tasks();
    const task = [...tasks.keys()][at];
    try {
      if (task !== undefined) await controlTask(app, task, step as 'pause');
      else if (step !== 'restart-parsing') await controlCrawl(app, this.crawlId, step as 'pause');
    } catch (error) {
      if (!(error instanceof AppError) || !['STATE_CONFLICT', 'RAW_MISSING'].includes(error.code)) throw error;
    }
  }

  async #claim(): Promise<void> {
    const [domain] = await engine.database.query<{ id: string }>('SELECT id FROM domains WHERE domain = $1', [
      this.#domain,
    ]);
    await markWaiting(engine.database, [domain!.id]);
    const limits = { workerId: WORKER, max: 2, leaseMs: 60_000, defaultRps: 0, defaultConcurrency: 10 };
    this.#held.push(...(await claimTasks(engine.database, { ...limits, windowMs: 2_000, aheadMs: 100 })));
  }

  async #store(task: ClaimedTask, status: Command['end'], links: number): Promise<void> {
    const row = (await getCrawlRow(engine.database, this.crawlId))!;
    const found = Array.from({ length: links }, () => ({
      url: `http://${this.#domain}/${++this.#links}`,
      domain: this.#domain,
    }));
    const result = {
      code: null,
      message: null,
      http_status: 200,
      response_ms: 1,
      raw_meta: null,
      delay_ms: 0,
      failed: 0,
    };
    await storeBatch(
      engine.database,
      { workerId: WORKER, maxNewUrlsPerSecond: 0, maxRetries: 3, recurrence: { floorS: 60, ceilingS: 7_200 } },
      {
        outcomes: [
          {
            task,
            crawl: toContext(row),
            candidates: found.map((each) => seedCandidate(each, 'bfs', 1)),
            refused: {},
            feedback: {},
            result: { ...result, status, ...(status === 'failed' ? { retry_ms: 1 } : {}) },
          },
        ],
        rawRefs: new Map(),
        domainIds: new Map([[this.#domain, task.domain_id]]),
      },
    );
  }

  async tasks(): Promise<Map<string, { status: TaskStatus; planned: boolean }>> {
    const rows = await engine.database.query<{ id: string; status: TaskStatus; planned: boolean }>(
      `SELECT id, status, status = 'pending' AND NOT ready AND visit > 0 AND attempt = 0 AS planned
       FROM tasks WHERE crawl_id = $1 ORDER BY id`,
      [this.crawlId],
    );
    return new Map(rows.map(({ id, ...row }) => [id, row]));
  }

  /** The counters are what the tasks say, and so is whether the crawl is over. */
  async check(): Promise<CrawlStatus> {
    const crawl = (await getCrawlRow(engine.database, this.crawlId))!;
    const tasks = [...(await this.tasks()).values()];
    const counted = (status: TaskStatus) => tasks.filter((task) => task.status === status).length;
    assert.deepEqual(
      [
        crawl.visits_planned,
        crawl.pages_discovered,
        crawl.pages_crawled,
        crawl.pages_failed,
        crawl.pages_skipped,
        crawl.pages_cancelled,
      ],
      [
        tasks.filter(({ planned }) => planned).length,
        tasks.filter(({ planned }) => !planned).length,
        ...(['completed', 'failed', 'skipped', 'cancelled'] as const).map(counted),
      ],
      'the counters of the crawl',
    );
    const open = tasks.filter(({ status, planned }) => !planned && !TASKS_OVER.includes(status)).length;
    assert.equal(CRAWLS_OVER.includes(crawl.status), open === 0, `${crawl.status} with ${open} open tasks`);
    assert.equal(crawl.completed_at !== null, open === 0);
    if (crawl.status === 'completed') assert.ok(crawl.pages_crawled > 0, 'no success over zero pages');
    if (crawl.status === 'pending')
      assert.equal(counted('crawling') + counted('parsing'), 0, 'it runs from its first claim');
    return crawl.status;
  }
}

const allowed = (moves: readonly { from: readonly string[]; to: readonly string[] }[], from: string, to: string) =>
  from === to || moves.some((move) => move.from.includes(from) && move.to.includes(to));

it('no task and no crawl moves outside of its table, and the counters follow', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(command, { minLength: 5, maxLength: 30 }), async (recurring, commands) => {
      const machine = new Machine();
      await machine.open(recurring);
      let status = await machine.check();
      for (const each of commands) {
        const before = await machine.tasks();
        await machine.take(each);
        const moves = MAY[each.step]!.map((move) => TASK_MOVES[move]);
        for (const [id, { status: to }] of await machine.tasks()) {
          const from = before.get(id)?.status;
          if (from === undefined) assert.ok(['pending', 'paused'].includes(to), `made as ${to}`);
          else assert.ok(allowed(moves, from, to), `${each.step}: ${from} to ${to}`);
        }
        const now = await machine.check();
        assert.ok(allowed(Object.values(CRAWL_MOVES), status, now), `the crawl: ${status} to ${now}`);
        status = now;
      }
    }),
    { numRuns: 60 },
  );
});

it('a write that names states outside of the table changes nothing', async () => {
  const machine = new Machine();
  await machine.open(false);
  const [first] = [...(await machine.tasks()).keys()];
  const held = { id: first!, attempt: 0, domain_id: first! };
  const turn = { domainId: first!, proxyId: null, end: new Date().toISOString() };
  // Each would move a task that is crawling or parsing; this one is pending.
  await endTurn(engine.database, WORKER, [held], turn, 0);
  await releaseTasks(engine.database, WORKER, [held]);
  await expireLeases(engine.database, [WORKER]);
  await recover(engine.app);
  assert.deepEqual(
    [...(await machine.tasks()).values()].map(({ status }) => status),
    ['pending', 'pending', 'pending'],
  );
});
