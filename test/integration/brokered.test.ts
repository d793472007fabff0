import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { updateDomain } from '../../src/operations/domains/update-domain.ts';
import type { Dispatch } from '../../src/ports/dispatch.ts';
import { runFetcher, runParser, runWorker } from '../../src/roles/worker.ts';
import { announceDue } from '../../src/scheduler/announce-due.ts';
import { createEngine, eventually } from '../support/engine.ts';
import { createMemoryBroker } from '../support/memory-broker.ts';
import { html, openSite, watchCrawls } from '../support/watch-crawls.ts';

const answering = () => openSite((path, _request, response) => void (path === '/robots.txt' || html(response)));
const NEVER = '3600000';

/** Keeps back what is announced to fetch until it is let through. */
function holdBack(dispatch: Dispatch) {
  const held: string[] = [];
  const announce = dispatch.announce.bind(dispatch);
  dispatch.announce = async (work, due) => {
    if (work === 'fetch') held.push(...due.map(({ id }) => id));
    else await announce(work, due);
  };
  return { held, deliver: (id: string) => announce('fetch', [{ id, priority: 5 }]) };
}

describe('where a broker delivers', () => {
  it('a worker takes the domains it was given, and no other', async () => {
    await using one = await answering();
    await using other = await answering();
    const dispatch = await createMemoryBroker().open();
    const { held, deliver } = holdBack(dispatch);
    await using engine = await createEngine({ WORKER__POLL_MS: NEVER }, { dispatch });
    const { untilCrawl, ended, tasksOf } = watchCrawls(() => engine);
    engine.run(runWorker);
    const { id: first } = await startCrawl(engine.app, { urls: [`${one.origin}/a`] });
    const { id: second } = await startCrawl(engine.app, { urls: [`${other.origin}/b`] });
    assert.equal(held.length, 2);
    await deliver(held[1]!);
    await untilCrawl(second, ended);
    assert.deepEqual([(await tasksOf(first))[0]!.status, one.asked], ['pending', []]);
    await deliver(held[0]!);
    await untilCrawl(first, ended);
    await dispatch[Symbol.asyncDispose]();
  });

  it('the scheduler hands over each turn of a domain, so that all of its tasks are done', async () => {
    await using site = await answering();
    const dispatch = await createMemoryBroker().open();
    await using engine = await createEngine({ WORKER__POLL_MS: NEVER, WORKER__WINDOW_MS: '1' }, { dispatch });
    const { untilCrawl, ended } = watchCrawls(() => engine);
    await updateDomain(engine.app, `127.0.0.1:${site.port}`, { rate_limit_rps: 20 });
    engine.run(runWorker);
    const stop = new AbortController();
    const { id } = await startCrawl(engine.app, { urls: ['/a', '/b', '/c', '/d'].map((path) => site.origin + path) });
    const duty = (async () => {
      while (!stop.signal.aborted) {
        await announceDue(engine.app);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 4);
    stop.abort();
    await duty;
    await dispatch[Symbol.asyncDispose]();
  });

  it('tasks to parse are seen as queued, and go by their ids', async () => {
    await using site = await answering();
    const dispatch = await createMemoryBroker().open();
    await using engine = await createEngine({ WORKER__POLL_MS: NEVER }, { dispatch });
    const { untilCrawl, ended, tasksOf } = watchCrawls(() => engine);
    engine.run(runFetcher);
    const { id } = await startCrawl(engine.app, { urls: ['/a', '/b'].map((path) => site.origin + path) });
    await eventually(
      () => tasksOf(id),
      (tasks) => tasks.every(({ status }) => status === 'queued_parse'),
    );
    engine.run(runParser);
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 2);
    await dispatch[Symbol.asyncDispose]();
  });

  it('a broker that loses everything costs a poll, and nothing else', async () => {
    await using site = await answering();
    const broker = createMemoryBroker();
    const dispatch = await broker.open();
    await using engine = await createEngine({ WORKER__POLL_MS: '100' }, { dispatch });
    const { untilCrawl, ended, compare } = watchCrawls(() => engine);
    const announce = dispatch.announce.bind(dispatch);
    dispatch.announce = async (work, due) => {
      await announce(work, due);
      broker.purge();
    };
    const { id } = await startCrawl(engine.app, { urls: ['/a', '/b', '/c'].map((path) => site.origin + path) });
    engine.run(runFetcher);
    engine.run(runParser);
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 3);
    await compare(id);
    assert.equal(site.asked.length, 4, 'nothing is fetched twice');
    await dispatch[Symbol.asyncDispose]();
  });
});
