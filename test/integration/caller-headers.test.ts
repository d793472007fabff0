import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startCrawl, startDeepCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { addToFrontier } from '../../src/operations/frontier/add-to-frontier.ts';
import { createCrawlConfig } from '../../src/operations/organise/create-crawl-config.ts';
import { updateCrawlConfig } from '../../src/operations/organise/update-crawl-config.ts';
import { createSource } from '../../src/operations/sources/create-source.ts';
import { triggerSource } from '../../src/operations/sources/trigger-source.ts';
import { updateSource } from '../../src/operations/sources/update-source.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { noBrowser } from '../support/browser.ts';
import { createEngine, type Engine } from '../support/engine.ts';
import { watchCrawls, words } from '../support/watch-crawls.ts';
import { startWebServer, type WebServer } from '../support/web-server.ts';

const SECRET = 'Bearer of-one-site-only';
const headers = { authorization: SECRET, 'x-plan': 'gold' };

/** The requests a site got, and with which of the caller's headers. */
interface Asked {
  path: string;
  authorization: string | undefined;
}

interface Recorder extends WebServer {
  got: Asked[];
  /** Whether a path was requested with the secret, by path. */
  seen(): Record<string, boolean>;
}

async function openRecorder(pages: () => Record<string, string>): Promise<Recorder> {
  const got: Asked[] = [];
  const server = await startWebServer((request, response) => {
    const path = request.url ?? '';
    got.push({ path, authorization: request.headers.authorization });
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    const [, target] = /^\/to\?(.*)$/.exec(path) ?? [];
    if (target !== undefined) return void response.writeHead(302, { location: target }).end();
    if (path === '/robots.txt') return void response.writeHead(404).end();
    if (/\.(?:js|json)$/.test(path))
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end('1');
    response.writeHead(200, { 'content-type': 'text/html', etag: `"${path}"` });
    response.end(`<title>${path}</title><p>${words} ${path}</p>${pages()[path] ?? ''}`);
  });
  const seen = () => {
    const paths: Record<string, boolean> = {};
    for (const { path, authorization } of got)
      if (path !== '/robots.txt' && path !== '/favicon.ico')
        paths[path] = (paths[path] ?? false) || authorization !== undefined;
    return paths;
  };
  return Object.assign(server, { got, seen });
}

describe('headers of a caller', () => {
  let engine: Engine;
  let home: Recorder;
  let other: Recorder;
  before(async () => {
    engine = await createEngine();
    other = await openRecorder(() => ({}));
    home = await openRecorder(() => ({
      '/links': `<a href="/near">near</a> <a href="${other.origin}/far">far</a>`,
      '/app': `<script src="/own.js"></script><script src="${other.origin}/foreign.js"></script>
        <img src="${other.origin}/picture"><iframe src="${other.origin}/frame"></iframe>
        <script>fetch('/own.json'); fetch('${other.origin}/foreign.json');
          fetch('/to?${other.origin}/after-redirect.json');</script>`,
    }));
    engine.run(runWorker);
  });
  after(async () => {
    await engine[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    home.got.length = 0;
    other.got.length = 0;
  });
  const { untilCrawl, ended } = watchCrawls(() => engine);

  it('go with a fetch, and with a request that asks whether the page changed', async () => {
    for (let visit = 0; visit < 2; visit++) {
      const { id } = await startCrawl(engine.app, { urls: [`${home.origin}/page`], options: { headers } });
      await untilCrawl(id, ended);
    }
    const asked = home.got.filter(({ path }) => path === '/page');
    assert.deepEqual(
      asked.map(({ authorization }) => authorization),
      [SECRET, SECRET],
    );
  });

  it('do not follow a redirect to another origin, and follow one within it', async () => {
    for (const target of ['/moved', `${other.origin}/moved`]) {
      const { id } = await startCrawl(engine.app, { urls: [`${home.origin}/to?${target}`], options: { headers } });
      await untilCrawl(id, ended);
    }
    assert.equal(home.seen()['/moved'], true);
    assert.deepEqual(other.seen(), { '/moved': false });
  });

  it('do not go with links to another origin, and go with those of their own', async () => {
    const { id } = await startDeepCrawl(engine.app, {
      url: `${home.origin}/links`,
      max_depth: 1,
      options: { headers, scope: 'any' },
    });
    await untilCrawl(id, ended);
    assert.deepEqual(home.seen(), { '/links': true, '/near': true });
    assert.deepEqual(other.seen(), { '/far': false });
  });

  it('go to every origin of the request, and to one alone that it names', async () => {
    const urls = [`${home.origin}/both`, `${other.origin}/both`];
    const both = await startCrawl(engine.app, { urls, options: { headers } });
    await untilCrawl(both.id, ended);
    assert.deepEqual([home.seen()['/both'], other.seen()['/both']], [true, true]);
    const again = urls.map((url) => url.replace('both', 'one'));
    const one = await startCrawl(engine.app, { urls: again, options: { headers, headers_origin: home.origin } });
    await untilCrawl(one.id, ended);
    assert.deepEqual([home.seen()['/one'], other.seen()['/one']], [true, false]);
    assert.deepEqual(one.header_origins, [home.origin]);
  });

  it('stay at home when somebody adds an address of another origin to the crawl', async () => {
    const { app } = engine;
    const { id } = await startDeepCrawl(app, {
      url: `${home.origin}/start`,
      max_pages: 9,
      options: { headers, scope: 'any' },
    });
    const urls = [`${other.origin}/added`, `${home.origin}/added`];
    await addToFrontier(app, { urls, crawl_id: id, depth: 0 }, 'key:somebody');
    await untilCrawl(id, ended);
    assert.deepEqual([home.seen()['/added'], other.seen()['/added']], [true, false]);
  });

  it('of a config go to the origin it names, whatever crawl uses it', async () => {
    const { app } = engine;
    const options = { headers, headers_origin: home.origin };
    const config = await createCrawlConfig(app, { name: 'with headers', options });
    const urls = [`${home.origin}/configured`, `${other.origin}/configured`];
    const { id } = await startCrawl(app, { urls, config_id: config.id });
    await untilCrawl(id, ended);
    assert.deepEqual([home.seen()['/configured'], other.seen()['/configured']], [true, false]);
    await assert.rejects(createCrawlConfig(app, { name: 'nowhere', options: { headers } }), {
      code: 'VALIDATION_FAILED',
    });
    const kept = await updateCrawlConfig(app, config.id, { name: 'with headers', options: {} });
    assert.deepEqual([kept.header_names, kept.header_origins], [['authorization', 'x-plan'], [home.origin]]);
    await assert.rejects(
      updateCrawlConfig(app, config.id, { name: 'with headers', options: { headers_origin: other.origin } }),
      { code: 'VALIDATION_FAILED' },
      'stored values cannot be sent elsewhere',
    );
    const without = await updateCrawlConfig(app, config.id, { name: 'with headers', options: { headers: {} } });
    assert.deepEqual(without.header_names, []);
  });

  it('of a source stay with its first origin when its address moves', async () => {
    const { app } = engine;
    const fields = { name: 'moving', time_zone: 'UTC', is_active: true };
    const options = { headers, max_depth: 0 };
    const source = await createSource(app, { ...fields, url: `${home.origin}/source`, options });
    await untilCrawl((await triggerSource(app, source.id)).id, ended);
    await updateSource(app, source.id, { ...fields, url: `${other.origin}/source`, options: { max_depth: 0 } });
    await untilCrawl((await triggerSource(app, source.id)).id, ended);
    assert.deepEqual([home.seen()['/source'], other.seen()['/source']], [true, false]);
  });

  it('are readable nowhere in the database', async () => {
    const rows = await engine.database.query<{ text: string }>(
      `SELECT row_to_json(x)::text AS text FROM crawls x UNION ALL SELECT row_to_json(x)::text FROM crawl_configs x
       UNION ALL SELECT row_to_json(x)::text FROM sources x`,
    );
    assert.ok(rows.some(({ text }) => text.includes('enc:v1:')));
    assert.ok(rows.every(({ text }) => !text.includes('of-one-site-only') && !text.includes('gold')));
  });

  it('in a browser reach what the page asks its own origin for, and no other', { skip: noBrowser }, async () => {
    const options = { headers, render: 'always' as const, max_retries: 0 };
    const { id } = await startCrawl(engine.app, { urls: [`${home.origin}/app`], options });
    await untilCrawl(id, ended);
    const near = home.seen();
    assert.deepEqual([near['/app'], near['/own.js'], near['/own.json']], [true, true, true]);
    const far = other.seen();
    assert.ok('/foreign.js' in far && '/foreign.json' in far, 'the page did ask the other origin');
    assert.deepEqual(Object.values(far).filter(Boolean), [], JSON.stringify(other.got));
  });

  it('in a browser do not follow a redirect of the page', { skip: noBrowser }, async () => {
    const options = { headers, render: 'always' as const, max_retries: 0 };
    const { id } = await startCrawl(engine.app, { urls: [`${home.origin}/to?${other.origin}/landed`], options });
    await untilCrawl(id, ended);
    assert.deepEqual(other.seen(), { '/landed': false });
  });

  it('in a browser do not go with a page of another origin', { skip: noBrowser }, async () => {
    const { id } = await startDeepCrawl(engine.app, {
      url: `${home.origin}/links`,
      max_depth: 1,
      options: { headers, scope: 'any', render: 'always', max_retries: 0 },
    });
    await untilCrawl(id, ended);
    assert.deepEqual(other.seen(), { '/far': false });
  });
});
