import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runJobs } from '../../src/jobs/runner.ts';
import { listCrawlDocuments } from '../../src/operations/crawls/list-crawl-documents.ts';
import { startCrawl, startDeepCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { ListDocumentsInput, listDocuments } from '../../src/operations/documents/list-documents.ts';
import { addToFrontier } from '../../src/operations/frontier/add-to-frontier.ts';
import { createCollection } from '../../src/operations/organise/create-collection.ts';
import { createCrawlConfig } from '../../src/operations/organise/create-crawl-config.ts';
import { listPages } from '../../src/operations/pages/list-pages.ts';
import { createSource } from '../../src/operations/sources/create-source.ts';
import { triggerSource } from '../../src/operations/sources/trigger-source.ts';
import { runScheduler } from '../../src/roles/scheduler.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { useEngine } from '../support/engine.ts';
import { html, openSite, watchCrawls, words } from '../support/watch-crawls.ts';

describe('the life of a crawl', () => {
  // One page at a time: the links of each are known before the next is chosen.
  const engine = useEngine([runWorker, runScheduler, runJobs], { WORKER__IN_FLIGHT: '1', JOB__RETRY_DELAYS_S: '3600' });
  const { tasksOf, untilCrawl, ended, compare } = watchCrawls(() => engine);
  const pathsOf = (asked: readonly string[]) => asked.filter((path) => path !== '/robots.txt');
  const documentsOf = async (site: { port: number }) =>
    (await listDocuments(engine.app, ListDocumentsInput.parse({ domain: `127.0.0.1:${site.port}` }))).items;
  const pagesOf = async (site: { port: number }) =>
    (await listPages(engine.app, { limit: 20, sort: 'discovered', domain: `127.0.0.1:${site.port}` })).items;

  it('is running while its first page is under way', async () => {
    const { promise: asked, resolve: arrived } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      arrived();
      void answered.then(() => html(response));
    });
    const { id, status } = await startCrawl(engine.app, { urls: [`${site.origin}/`] });
    assert.equal(status, 'pending');
    await asked;
    const running = await untilCrawl(id, () => true);
    answer();
    assert.deepEqual([running.status, running.started_at !== null, running.pages_crawled], ['running', true, 0]);
    await untilCrawl(id, ended);
  });

  it('lists the documents that redirects led to, each once', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      if (path.startsWith('/old')) response.writeHead(302, { location: path.replace('old', 'new') }).end();
      else html(response, path === '/' ? ['/old-a', '/old-b', '/new-b'] : [], `${words} ${path}`);
    });
    const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 1 });
    await untilCrawl(id, ended);
    const { items } = await listCrawlDocuments(engine.app, id, { limit: 10 });
    assert.deepEqual(items.map(({ url }) => new URL(url).pathname).sort(), ['/', '/new-a', '/new-b']);
  });

  it('puts unchanged pages into its collection and under its tags', async () => {
    await using site = await openSite((path, request, response) => {
      if (path === '/robots.txt') return;
      response.setHeader('etag', '"1"');
      if (path === '/304' && request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else html(response, [], `${words} ${path}`);
    });
    const urls = ['/304', '/same'].map((path) => site.origin + path);
    const { id: collection_id } = await createCollection(engine.app, { name: 'later', description: null });
    await untilCrawl((await startCrawl(engine.app, { urls })).id, ended);
    await engine.database.query('DELETE FROM outbox');
    await untilCrawl((await startCrawl(engine.app, { urls, collection_id, tags: ['kept'] })).id, ended);
    assert.deepEqual(
      (await documentsOf(site)).map((each) => [each.collection_id, each.tags.map(({ name }) => name), each.version]),
      [
        [collection_id, ['kept'], 1],
        [collection_id, ['kept'], 1],
      ],
    );
    const queued = await engine.database.query(
      `SELECT DISTINCT d.id FROM outbox o JOIN documents d ON d.id = o.document_id WHERE o.action = 'index' AND d.url = ANY($1)`,
      [urls],
    );
    assert.equal(queued.length, 2, 'filters look into the index, so they are indexed again');
  });

  it('takes max_depth from its config', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response, ['/next'], `${words} ${path}`);
    });
    const { id: config_id } = await createCrawlConfig(engine.app, { name: 'one deep', options: { max_depth: 1 } });
    const { id, max_depth } = await startCrawl(engine.app, { urls: [`${site.origin}/`], config_id });
    assert.equal(max_depth, 1);
    await untilCrawl(id, ended);
    assert.deepEqual(pathsOf(site.asked), ['/', '/next']);
  });

  it('keeps its page limit when it is recurring, ends, and lets its source run again', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response, ['/a', '/b', '/c', '/d'], `${words} ${path}`);
    });
    const options = { recurring: true, max_pages: 2, max_depth: 1 };
    const source = await createSource(engine.app, {
      name: 'recurring',
      url: `${site.origin}/`,
      options,
      time_zone: 'UTC',
      is_active: true,
    });
    const first = await triggerSource(engine.app, source.id, 'test');
    const over = await untilCrawl(first.id, ended);
    assert.deepEqual([over.status, over.pages_crawled, over.visits_planned], ['completed', 2, 2]);
    assert.equal(over.links_refused.PAGE_LIMIT!.count > 0, true);
    const second = await triggerSource(engine.app, source.id, 'test');
    await untilCrawl(second.id, ended);
    const before = await untilCrawl(first.id, () => true);
    assert.deepEqual([before.status, before.visits_planned], ['completed', 0], 'the new run plans the visits');
    await compare(first.id);
    // A visit that is due opens the crawl; beyond its limit nothing is added by it.
    await engine.database.query('UPDATE tasks SET due_at = now() WHERE crawl_id = $1 AND visit = 1', [second.id]);
    const again = await untilCrawl(second.id, (crawl) => crawl.pages_crawled === 4 && ended(crawl));
    assert.deepEqual([again.status, again.pages_discovered, again.visits_planned], ['completed', 4, 2]);
    await compare(second.id);
  });

  it('follows links from addresses that are added, as deep as they count', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response, [`${path === '/' ? '' : path}/x`], `${words} ${path}`);
    });
    const urls = [`${site.origin}/`];
    const near = await addToFrontier(engine.app, { urls, depth: 0 }, 'test');
    await untilCrawl(near.crawl.id, ended);
    assert.deepEqual(pathsOf(site.asked), ['/', '/x', '/x/x']);
    site.asked.length = 0;
    const far = await addToFrontier(engine.app, { urls, depth: 1 }, 'test');
    await untilCrawl(far.crawl.id, ended);
    assert.deepEqual(pathsOf(site.asked), ['/', '/x']);
  });

  it('says on which page a document was found', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path !== '/robots.txt') html(response, path === '/' ? ['/child'] : [], `${words} ${path}`);
    });
    const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 1 });
    await untilCrawl(id, ended);
    const parents = new Map(
      (await documentsOf(site)).map(({ url, parent_url }) => [new URL(url).pathname, parent_url]),
    );
    assert.deepEqual([parents.get('/'), parents.get('/child')], [null, `${site.origin}/`]);
  });

  for (const strategy of ['bfs', 'dfs'] as const)
    it(`fetches pages before lists of pages (${strategy})`, async () => {
      const tree: Record<string, string[]> = {
        '/': ['/page/2', '/archive/2024', '/guide'],
        '/guide': ['/guide/deeper'],
      };
      await using site = await openSite((path, _request, response) => {
        if (path !== '/robots.txt') html(response, tree[path] ?? [], `${words} ${path}`);
      });
      const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 2, strategy });
      await untilCrawl(id, ended);
      assert.deepEqual(pathsOf(site.asked), ['/', '/guide', '/guide/deeper', '/page/2', '/archive/2024']);
      const behind = (await tasksOf(id)).map(({ url, priority }) => [new URL(url).pathname, priority]);
      assert.deepEqual(
        behind.filter(([, priority]) => priority === 6).map(([path]) => path),
        ['/archive/2024', '/page/2'],
      );
    });

  it('counts links and entries of sitemaps past the limit', async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => `/n${index}`);
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') return;
      if (path === '/sitemap.xml')
        response.end(`<urlset>${many.map((to) => `<url><loc>${site.origin}/s${to}</loc></url>`).join('')}</urlset>`);
      else html(response, path === '/' ? many : [], `${words} ${path}`);
    });
    const links = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 1, max_pages: 2 });
    const { LINK_LIMIT, PAGE_LIMIT } = (await untilCrawl(links.id, ended)).links_refused;
    assert.deepEqual([LINK_LIMIT!.count, LINK_LIMIT!.samples[0]], [200, `${site.origin}/n1000`]);
    assert.equal(PAGE_LIMIT!.count, 999);
    const { id } = await startDeepCrawl(engine.app, {
      url: `${site.origin}/s/n0`,
      max_depth: 1,
      max_pages: 3,
      options: { use_sitemap: true },
    });
    const refused = (await untilCrawl(id, ended)).links_refused;
    assert.equal(refused.LINK_LIMIT!.count, 1_197);
  });

  it('counts no visit where the site was not asked for the page', async () => {
    await using site = await openSite((path, _request, response) => {
      if (path === '/robots.txt') {
        response.statusCode = 200;
        response.write('User-agent: *\nDisallow: /closed\n');
      } else html(response);
    });
    await using broken = await openSite((path, _request, response) => {
      if (path === '/robots.txt') response.statusCode = 503;
    });
    const { id } = await startCrawl(engine.app, { urls: [`${site.origin}/closed`, `${site.origin}/open`] });
    await untilCrawl(id, ended);
    const pages = new Map((await pagesOf(site)).map((page) => [new URL(page.url).pathname, page]));
    const closed = pages.get('/closed')!;
    assert.deepEqual([closed.status, closed.visits, closed.last_crawled_at], ['blocked', 0, null]);
    assert.deepEqual([pages.get('/open')!.status, pages.get('/open')!.visits], ['fetched', 1]);
    const waits = await startCrawl(engine.app, { urls: [`${broken.origin}/`] });
    const [task] = await untilTask(waits.id);
    assert.equal(task!.code, 'ROBOTS_UNAVAILABLE');
    const [page] = await pagesOf(broken);
    assert.deepEqual([page!.status, page!.visits, page!.error_code], ['never_crawled', 0, 'ROBOTS_UNAVAILABLE']);
  });

  const untilTask = async (id: string) => {
    for (;;) {
      const tasks = await tasksOf(id);
      if (tasks.some(({ code }) => code !== null)) return tasks;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
});
