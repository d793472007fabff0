import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { startCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { updateDomain } from '../../src/operations/domains/update-domain.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { createEngine, type Engine } from '../support/engine.ts';
import { html, watchCrawls } from '../support/watch-crawls.ts';
import { startWebServer } from '../support/web-server.ts';

interface Seen {
  path: string;
  /** It came after this, and … */
  after: number;
  /** … it was read. */
  came: number;
  answered: number;
}

const ANSWER_MS = 300;

/** A site that takes its time, and writes down when each request came and when its answer was written. */
async function startSlowSite(robots: string) {
  const seen: Seen[] = [];
  // A busy machine reads requests late. They came after the beat before the last, when everything was read that was there.
  let beats = [performance.now(), performance.now()];
  setInterval(() => (beats = [beats[1]!, performance.now()]), 1).unref();
  const respond = (path: string, response: ServerResponse) => {
    if (path === '/robots.txt') response.end(robots);
    else if (path.startsWith('/old/')) response.writeHead(302, { location: path.replace('old', 'new') }).end();
    else html(response);
  };
  const server = await startWebServer((request, response) => {
    const path = request.url ?? '';
    const visit: Seen = { path, after: beats[0]!, came: performance.now(), answered: Number.POSITIVE_INFINITY };
    seen.push(visit);
    setTimeout(() => {
      visit.answered = performance.now();
      respond(path, response);
    }, ANSWER_MS);
  });
  return { ...server, domain: `127.0.0.1:${server.port}`, seen };
}

/** For each request, how many were under way when it came, itself included. */
const underWay = (seen: readonly Seen[]) =>
  seen.map(({ came }) => seen.filter((other) => other.came <= came && other.answered > came).length);
const paths = (count: number) => Array.from({ length: count }, (_, n) => (n % 4 === 1 ? `/old/${n}` : `/page/${n}`));

describe('two workers at one site', () => {
  let engine: Engine;
  before(async () => {
    engine = await createEngine({ WORKER__CONCURRENCY: '8' });
    engine.run(runWorker);
    engine.run(runWorker);
  });
  after(() => engine[Symbol.asyncDispose]());
  const { untilCrawl, ended } = watchCrawls(() => engine);

  it('with a rate: starts keep apart, answers may take their time, and no more than allowed are under way', async () => {
    await using site = await startSlowSite('');
    await updateDomain(engine.app, site.domain, { rate_limit_rps: 10, max_concurrency: 3 });
    const { id } = await startCrawl(engine.app, { urls: paths(24).map((path) => site.origin + path) });
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 24);
    assert.equal(site.seen.length, 1 + 24 + 6, 'robots.txt once, and what the redirects led to');
    const gaps = site.seen.slice(1).map(({ came }, index) => came - site.seen[index]!.after);
    assert.deepEqual(
      gaps.filter((gap) => gap < 100),
      [],
    );
    const most = Math.max(...underWay(site.seen));
    assert.ok(most > 1 && most <= 3, `${most} under way`);
  });

  it('with a delay: one at a time, each the delay after the answer before it', async () => {
    await using site = await startSlowSite('User-agent: *\nCrawl-delay: 0.2');
    const { id } = await startCrawl(engine.app, { urls: paths(12).map((path) => site.origin + path) });
    assert.equal((await untilCrawl(id, ended)).pages_crawled, 12);
    assert.equal(site.seen.length, 1 + 12 + 3);
    assert.deepEqual(new Set(underWay(site.seen)), new Set([1]));
    const pauses = site.seen.slice(1).map(({ came }, index) => came - site.seen[index]!.answered);
    assert.deepEqual(
      pauses.filter((pause) => pause < 200),
      [],
    );
  });
});
