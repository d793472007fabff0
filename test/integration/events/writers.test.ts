import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { actAs } from '../../../src/actor.ts';
import { setDomainActive } from '../../../src/db/domains/domain-policy.ts';
import type { EventData, EventKind } from '../../../src/db/events/kinds.ts';
import type { EventRow } from '../../../src/db/events/read-events.ts';
import { controlCrawl } from '../../../src/operations/crawls/control-crawl.ts';
import { getCrawl } from '../../../src/operations/crawls/get-crawl.ts';
import { startCrawl, startDeepCrawl } from '../../../src/operations/crawls/start-crawl.ts';
import { uploadDocument } from '../../../src/operations/documents/upload-document.ts';
import { blockDomain } from '../../../src/operations/domains/block-domain.ts';
import { unblockDomain } from '../../../src/operations/domains/unblock-domain.ts';
import { createSource } from '../../../src/operations/sources/create-source.ts';
import { triggerSource } from '../../../src/operations/sources/trigger-source.ts';
import { runEngine } from '../../../src/roles/engine.ts';
import { createEngine, type Engine } from '../../support/engine.ts';
import { readLog } from '../../support/events.ts';
import { html, openSite, watchCrawls } from '../../support/watch-crawls.ts';
import type { WebServer } from '../../support/web-server.ts';

const COUNTERS = ['discovered', 'crawled', 'failed', 'skipped', 'cancelled'] as const;

describe('who writes to the log of events', () => {
  let engine: Engine;
  let site: WebServer;
  let price = '10.00';
  let there = true;
  let text = 'The first text of a page that will change before it is fetched again.';
  const { untilCrawl, ended } = watchCrawls(() => engine);
  before(async () => {
    engine = await createEngine();
    site = await openSite((path, _request, response) => {
      if (path === '/missing' || (path === '/leaving' && !there)) {
        response.statusCode = 404;
        response.end();
      } else if (path === '/product') {
        response.setHeader('content-type', 'text/html');
        const offer = { '@type': 'Offer', price, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' };
        const facts = { '@context': 'https://schema.org', '@type': 'Product', name: 'A lamp', offers: offer };
        response.end(
          `<title>A lamp</title><script type="application/ld+json">${JSON.stringify(facts)}</script><p>${text}</p>`,
        );
      } else if (path !== '/robots.txt') html(response, ['/a', '/b', '/missing'], `${text} ${path}`);
    });
    await engine.database.query(
      `CREATE TABLE statuses (nth bigint GENERATED ALWAYS AS IDENTITY, crawl_id uuid, status text);
       CREATE FUNCTION keep_status() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF TG_OP = 'INSERT' OR NEW.status <> OLD.status THEN INSERT INTO statuses (crawl_id, status) VALUES (NEW.id, NEW.status); END IF;
         RETURN NULL; END $$;
       CREATE TRIGGER keep_status AFTER INSERT OR UPDATE ON crawls FOR EACH ROW EXECUTE FUNCTION keep_status()`,
    );
    engine.run(runEngine);
  });
  after(async () => {
    await engine[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  const kinds = (log: readonly EventRow[]) => log.map(({ kind }) => kind);
  const dataOf = <Kind extends EventKind>(log: readonly EventRow[], kind: Kind) =>
    log.filter((event) => event.kind === kind).map(({ data }) => data as EventData<Kind>);
  /** Each status the crawl's row has had, beside what its events say. */
  async function compareStatuses(id: string, log: readonly EventRow[]): Promise<void> {
    const history = await engine.database.query<{ status: string }>(
      'SELECT status FROM statuses WHERE crawl_id = $1 ORDER BY nth',
      [id],
    );
    const told = log.filter(({ kind }) => /^crawl\.(?!progress)/.test(kind));
    assert.deepEqual(
      told.map(({ kind, data }) => (kind === 'crawl.created' ? 'pending' : (data as { status: string }).status)),
      history.map(({ status }) => status),
    );
  }

  it('a walk: each change of state once, numbers that add up, no event a page', async () => {
    const { id } = await startDeepCrawl(engine.app, { url: `${site.origin}/`, max_depth: 1, max_pages: 20 }, 'me');
    await untilCrawl(id, ended);
    const log = await readLog(engine.database, id);
    assert.deepEqual(
      log.map(({ seq }) => seq),
      log.map((_, index) => index + 1),
    );
    assert.deepEqual([kinds(log)[0], log[0]?.actor, kinds(log).at(-1)], ['crawl.created', 'me', 'crawl.completed']);
    assert.deepEqual(
      kinds(log).filter((kind) => kind.startsWith('page.')),
      [],
    );
    await compareStatuses(id, log);
    const crawl = await getCrawl(engine.app, id);
    for (const name of COUNTERS) {
      const sum = dataOf(log, 'crawl.progress').reduce((total, { batch }) => total + batch[name], 0);
      assert.equal(sum, crawl[`pages_${name}`], name);
    }
    assert.deepEqual(dataOf(log, 'crawl.completed')[0]?.pages_failed, 1);
  });

  it('a crawl that is paused, resumed, cancelled and restarted says so once each, and who did it', async () => {
    const { id } = await startCrawl(engine.app, { urls: [`${site.origin}/held`], options: { rate_limit_rps: 0 } });
    await untilCrawl(id, ended);
    await setDomainActive(engine.database, { id, domain: new URL(site.origin).host }, false, 'quiet');
    await controlCrawl(engine.app, id, 'restart');
    for (const step of ['pause', 'pause', 'resume', 'cancel', 'cancel'] as const)
      await actAs('key:someone', () => controlCrawl(engine.app, id, step));
    await setDomainActive(engine.database, { id, domain: new URL(site.origin).host }, true, null);
    await controlCrawl(engine.app, id, 'restart');
    await untilCrawl(id, ended);
    const log = await readLog(engine.database, id);
    await compareStatuses(id, log);
    const moves = log.filter(({ kind }) => /paused|resumed|cancelled|restarted/.test(kind));
    assert.deepEqual(
      moves.map(({ kind, actor }) => [kind, actor]),
      [
        ['crawl.restarted', 'system'],
        ['crawl.paused', 'key:someone'],
        ['crawl.resumed', 'key:someone'],
        ['crawl.cancelled', 'key:someone'],
        ['crawl.restarted', 'system'],
      ],
    );
  });

  it('pages have events of their own where the crawl asks for them', async () => {
    const urls = [`${site.origin}/p1`, `${site.origin}/missing`];
    const { id } = await startCrawl(engine.app, { urls, options: { page_events: true } });
    await untilCrawl(id, ended);
    const log = await readLog(engine.database, id);
    assert.deepEqual(
      dataOf(log, 'page.stored').map(({ url, http_status }) => [url, http_status]),
      [[urls[0], 200]],
    );
    assert.deepEqual(
      dataOf(log, 'page.failed').map(({ url, code }) => [url, code]),
      [[urls[1], 'HTTP_4XX']],
    );
    assert.equal(kinds(log).at(-1), 'crawl.completed');
  });

  it('a document that changed and a price that changed are told of, once, and only then', async () => {
    const visit = async () => {
      const { id } = await startCrawl(engine.app, { urls: [`${site.origin}/product`] });
      await untilCrawl(id, ended);
      const log = await readLog(engine.database, id);
      return { changed: dataOf(log, 'document.changed'), priced: dataOf(log, 'product.price_changed') };
    };
    assert.deepEqual(await visit(), { changed: [], priced: [] }, 'the first visit changes nothing');
    assert.deepEqual(await visit(), { changed: [], priced: [] });
    price = '12.50';
    text = 'The second text of the page, which is another one than the first text was.';
    const { changed, priced } = await visit();
    assert.deepEqual(
      changed.map(({ url, version }) => [url, version]),
      [[`${site.origin}/product`, 2]],
    );
    assert.deepEqual(
      priced.map(({ before, after: now }) => [Number(before.price), Number(now.price), now.currency]),
      [[10, 12.5, 'EUR']],
    );
  });

  it('a document whose page is gone is told of once', async () => {
    const visit = async () => {
      const { id } = await startCrawl(engine.app, { urls: [`${site.origin}/leaving`] });
      await untilCrawl(id, ended);
      return dataOf(await readLog(engine.database, id), 'document.gone').map(({ url, reason }) => [url, reason]);
    };
    assert.deepEqual(await visit(), []);
    there = false;
    assert.deepEqual(await visit(), [[`${site.origin}/leaving`, 'not_found']]);
    assert.deepEqual(await visit(), []);
  });

  it('domains, sources and uploads', async () => {
    const from = (await readLog(engine.database)).at(-1)?.position ?? 0;
    await actAs('user:1', () => blockDomain(engine.app, 'switch.example', { reason: 'rude' }));
    await blockDomain(engine.app, 'switch.example', { reason: 'rude' });
    await unblockDomain(engine.app, 'switch.example');
    const fields = { name: 's', url: `${site.origin}/source`, options: {}, time_zone: 'UTC', is_active: true };
    const source = await createSource(engine.app, fields);
    const crawl = await triggerSource(engine.app, source.id);
    const upload = { url: 'note', content_type: 'text/plain' as const, tags: [], metadata: {} };
    for (const content of ['one', 'one', 'two']) await uploadDocument(engine.app, { ...upload, content });
    const log = (await readLog(engine.database)).filter(
      ({ position, crawl_id }) => position > from && crawl_id === null,
    );
    assert.deepEqual(
      log.map(({ kind, actor }) => [kind, actor]),
      [
        ['domain.blocked', 'user:1'],
        ['domain.unblocked', 'system'],
        ['source.run', 'system'],
        ['document.changed', 'system'],
      ],
    );
    assert.deepEqual(dataOf(log, 'source.run')[0]?.crawl_id, crawl.id);
    await untilCrawl(crawl.id, ended);
  });
});
