import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { App } from '../../src/app.ts';
import { createPostgresDatabase } from '../../src/drivers/database/postgres.ts';
import { createPostgresDispatch } from '../../src/drivers/dispatch/postgres.ts';
import { createPostgresPubSub } from '../../src/drivers/pubsub/postgres.ts';
import { controlCrawl } from '../../src/operations/crawls/control-crawl.ts';
import { ReplayInput, replay } from '../../src/operations/crawls/replay.ts';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { blockDomain } from '../../src/operations/domains/block-domain.ts';
import { unblockDomain } from '../../src/operations/domains/unblock-domain.ts';
import { controlTask } from '../../src/operations/tasks/control-task.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { promote } from '../../src/scheduler/recover.ts';
import { retryFailed } from '../../src/scheduler/retry-failed.ts';
import { createEngine, type Engine, eventually } from '../support/engine.ts';
import { html, openSite, watchCrawls } from '../support/watch-crawls.ts';

/** The worker polls once in ten minutes: what is done before that was announced to it. */
describe('a worker that sleeps is woken by another process', () => {
  let engine: Engine;
  /** The same installation as another process sees it. */
  let other: App;
  let sleeping = 0;
  const cleanUp = new AsyncDisposableStack();
  before(async () => {
    engine = cleanUp.use(await createEngine({ WORKER__POLL_MS: '600000', JOB__DEAD_LETTER_DELAYS_S: '0' }));
    const { dispatch } = engine.app;
    const receive = dispatch.receive.bind(dispatch);
    dispatch.receive = async (...args) => {
      sleeping++;
      return receive(...args).finally(() => sleeping--);
    };
    const database = cleanUp.use(await createPostgresDatabase({ url: engine.database.url, poolSize: 2 }));
    const pubsub = cleanUp.use(createPostgresPubSub({ database }));
    other = { ...engine.app, database, pubsub, dispatch: cleanUp.use(createPostgresDispatch({ database, pubsub })) };
    engine.run(runWorker);
  });
  after(() => cleanUp.disposeAsync());

  const { tasksOf, untilCrawl, ended } = watchCrawls(() => engine);
  /** No task is under way, and the worker waits for word. */
  const asleep = () =>
    eventually(
      async () => ({ sleeping, busy: (await engine.database.query('SELECT 1 FROM domains WHERE waiting')).length }),
      (state) => state.sleeping === 1 && state.busy === 0,
    );
  const answering = () => openSite((path, _request, response) => void (path === '/robots.txt' || html(response)));

  it('by a crawl that starts, one that is resumed, and one that is restarted', async () => {
    await using site = await answering();
    await asleep();
    const { id } = await startCrawl(other, { urls: [`${site.origin}/a`] });
    await untilCrawl(id, ended);
    await asleep();
    await controlCrawl(other, id, 'restart');
    await untilCrawl(id, ended);
    await asleep();
    await engine.database.query(
      `UPDATE crawls SET status = 'paused', completed_at = NULL, pages_crawled = 0 WHERE id = $1`,
      [id],
    );
    await engine.database.query(`UPDATE tasks SET status = 'paused', due_at = now() WHERE crawl_id = $1`, [id]);
    await controlCrawl(other, id, 'resume');
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 1);
    assert.equal(site.asked.filter((path) => path === '/a').length, 3);
  });

  it('by a replay, and by a task that is restarted or parsed again', async () => {
    await using site = await answering();
    const { id } = await startCrawl(other, { urls: [`${site.origin}/a`] });
    await untilCrawl(id, ended);
    const [task] = await tasksOf(id);
    const attempts = (count: number) =>
      eventually(
        () => tasksOf(id),
        ([row]) => row!.attempt === count && row!.status === 'completed',
      );
    await attempts(1);
    await asleep();
    assert.equal((await replay(other, ReplayInput.parse({ domain: `127.0.0.1:${site.port}` }))).pages, 1);
    await attempts(2);
    await asleep();
    await controlTask(other, task!.id, 'restart-parsing');
    await attempts(3);
    await asleep();
    await controlTask(other, task!.id, 'restart');
    await attempts(4);
  });

  it('by the dead-letter list, by a planned visit, and by a domain that is opened again', async () => {
    let broken = true;
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      if (broken) response.writeHead(404).end();
      else html(response);
    });
    const { id } = await startCrawl(other, { urls: [`${site.origin}/a`] });
    await untilCrawl(id, ended);
    broken = false;
    await engine.database.query(`UPDATE crawls SET status = 'running', completed_at = NULL WHERE id = $1`, [id]);
    await engine.database.query(`UPDATE tasks SET retry_at = now() WHERE crawl_id = $1`, [id]);
    await asleep();
    assert.equal(await retryFailed(other), 1);
    await untilCrawl(id, ended);
    await asleep();
    await engine.database.query(
      `UPDATE crawls SET status = 'running', completed_at = NULL, pages_crawled = 0 WHERE id = $1`,
      [id],
    );
    await engine.database.query(
      `UPDATE tasks SET status = 'pending', ready = false, due_at = now() WHERE crawl_id = $1`,
      [id],
    );
    await promote(other);
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 1);
    await asleep();

    await blockDomain(other, `127.0.0.1:${site.port}`, { reason: 'test' });
    await engine.database.query(
      `UPDATE crawls SET status = 'running', completed_at = NULL, pages_crawled = 0 WHERE id = $1`,
      [id],
    );
    await engine.database.query(`UPDATE tasks SET status = 'pending' WHERE crawl_id = $1`, [id]);
    await unblockDomain(other, `127.0.0.1:${site.port}`);
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 1);
  });
});
