import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { appendEvents, type NewEvent } from '../../../src/db/events/append-events.ts';
import type { DeliveryRow } from '../../../src/db/webhooks/webhook-deliveries.ts';
import { insertWebhook, type WebhookFields } from '../../../src/db/webhooks/webhooks.ts';
import { newId } from '../../../src/ids.ts';
import type { Database } from '../../../src/ports/database.ts';
import { planDeliveries } from '../../../src/scheduler/plan-deliveries.ts';
import { seedCrawl } from '../../support/crawls.ts';
import { createTestDatabase } from '../../support/database.ts';

const offer = (price: string) => ({ price, regular_price: null, currency: 'EUR', availability: null });

/** Which messages are written for which webhook, and what is in them. */
describe('messages about events', () => {
  let database: Database & AsyncDisposable;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database[Symbol.asyncDispose]());
  beforeEach(async () => {
    await planDeliveries({ database });
    for (const table of ['webhooks', 'crawls', 'sources', 'documents', 'collections'])
      await database.query(`DELETE FROM ${table}`);
  });

  const hook = async (fields: Partial<WebhookFields>, of: { source_id?: string; crawl_id?: string } = {}) => {
    const scope = { source_id: null, crawl_id: null, ...of, secret: of.crawl_id === undefined ? 'sealed' : null };
    const defaults = { url: `https://r.example/${newId()}`, headers: {}, events: ['*'], filter: {}, is_active: true };
    return (await insertWebhook(database, { id: newId(), ...scope }, { ...defaults, ...fields })).id;
  };
  const makeSource = async (url = 'https://s.example/') => {
    const id = newId();
    await database.query('INSERT INTO sources (id, name, url) VALUES ($1, $2, $3)', [id, id, url]);
    return id;
  };
  const write = (events: NewEvent[]) => database.transaction((tx) => appendEvents(tx, events));
  const told = async (webhookId: string) => {
    await planDeliveries({ database });
    return database.query<DeliveryRow>('SELECT * FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id', [
      webhookId,
    ]);
  };
  const names = async (webhookId: string) => (await told(webhookId)).map(({ event }) => event);
  const move = (id: string, status: string) =>
    database.query('UPDATE crawls SET status = $2, completed_at = CASE WHEN $2 = $3 THEN now() END WHERE id = $1', [
      id,
      status,
      'completed',
    ]);
  const everything = (crawlId: string, sourceId: string): NewEvent[] => [
    {
      kind: 'source.run',
      subject: sourceId,
      data: { source_id: sourceId, crawl_id: null, scheduled: true, error: 'x' },
    },
    {
      kind: 'document.changed',
      crawl_id: crawlId,
      data: { document_id: newId(), url: 'https://s.example/a', domain: 's.example', version: 2 },
    },
    {
      kind: 'document.gone',
      crawl_id: crawlId,
      data: { document_id: newId(), url: 'https://s.example/b', domain: 's.example', reason: 'not_found' },
    },
    {
      kind: 'product.price_changed',
      crawl_id: crawlId,
      data: { product_id: newId(), url: 'https://s.example/c', before: offer('10'), after: offer('8') },
    },
    { kind: 'alert.raised', data: { alert: 'disk_low', severity: 'warning', message: 'little is left' } },
    { kind: 'domain.blocked', data: { domain: 's.example', reason: null } },
  ];

  it('each scope hears of its own, in the order of the log', async () => {
    const [source, other] = [await makeSource(), await makeSource('https://o.example/')];
    const crawl = await seedCrawl(database, ['https://s.example/'], { source_id: source });
    const stranger = await seedCrawl(database, ['https://o.example/'], { source_id: other });
    const [global, ofSource, ofOther, ofCrawl, off] = [
      await hook({}),
      await hook({}, { source_id: source }),
      await hook({}, { source_id: other }),
      await hook({}, { crawl_id: crawl }),
      await hook({ is_active: false }),
    ];
    await planDeliveries({ database });
    await move(crawl, 'running');
    await write(everything(crawl, source));
    await move(crawl, 'completed');
    await move(stranger, 'running');
    const ofIt = ['document.changed', 'document.gone', 'product.price_changed'];
    const all = ['crawl.started', 'source.run', ...ofIt, 'alert.raised', 'crawl.completed', 'crawl.started'];
    assert.deepEqual(await names(global), all);
    assert.deepEqual(await names(ofSource), ['crawl.started', 'source.run', ...ofIt, 'crawl.completed']);
    assert.deepEqual(await names(ofOther), ['crawl.started']);
    assert.deepEqual(await names(ofCrawl), ['crawl.started', ...ofIt, 'crawl.completed']);
    assert.deepEqual(await names(off), []);
  });

  it('a message has type, timestamp and data; a crawl is shown as it was then', async () => {
    const crawl = await seedCrawl(database, ['https://s.example/']);
    const id = await hook({ events: ['crawl.*', 'product.price_changed'] });
    await move(crawl, 'running');
    await write(everything(crawl, newId()));
    await move(crawl, 'completed');
    const [started, price, completed] = await told(id);
    for (const { payload, event } of [started!, price!, completed!]) {
      assert.deepEqual(Object.keys(payload).sort(), ['data', 'timestamp', 'type']);
      assert.equal(payload.type, event);
      assert.match(String(payload.timestamp), /^\d{4}-\d\d-\d\dT.*Z$/);
    }
    const { status, completed_at, job_id } = started!.payload.data as Record<string, unknown>;
    assert.deepEqual([status, completed_at, job_id], ['running', null, crawl]);
    const end = completed!.payload.data as Record<string, unknown>;
    assert.deepEqual([end.status, end.completed_at], ['completed', completed!.payload.timestamp]);
    const { after: now, crawl_id, source_id } = price!.payload.data as Record<string, unknown>;
    assert.deepEqual([now, crawl_id, source_id], [offer('8'), crawl, null]);
    assert.deepEqual([started!.max_attempts, started!.attempts, started!.status], [9, 0, 'pending']);
  });

  it('filters look at addresses, collections, sources and prices', async () => {
    const collection = newId();
    await database.query('INSERT INTO collections (id, name) VALUES ($1, $2)', [collection, collection]);
    const source = await makeSource();
    const crawl = await seedCrawl(database, ['https://s.example/'], { source_id: source, collection_id: collection });
    await seedCrawl(database, ['https://o.example/']);
    const cases: [filter: WebhookFields['filter'], kinds: string[]][] = [
      [{ domains: ['s.example'] }, ['source.run', 'document.changed', 'document.gone', 'product.price_changed']],
      [{ domains: ['o.example'] }, []],
      [{ url_pattern: '/b' }, ['document.gone']],
      [{ source_ids: [source] }, ['source.run', 'document.changed', 'document.gone', 'product.price_changed']],
      [{ collection_ids: [collection] }, ['document.changed', 'document.gone', 'product.price_changed']],
      [{ min_price_change_percent: 21 }, ['source.run', 'document.changed', 'document.gone']],
      [{ min_price_change_percent: 20, url_pattern: '/c' }, ['product.price_changed']],
    ];
    const ids = await Promise.all(
      cases.map(([filter]) => hook({ filter, events: ['source.*', 'document.*', 'product.*'] })),
    );
    await write(everything(crawl, source));
    for (const [at, [filter, kinds]] of cases.entries())
      assert.deepEqual(await names(ids[at]!), kinds, JSON.stringify(filter));
  });

  it('a document that was uploaded belongs to its collection', async () => {
    const [collection, document] = [newId(), newId()];
    await database.query('INSERT INTO collections (id, name) VALUES ($1, $2)', [collection, collection]);
    await database.query(
      `INSERT INTO documents (id, url, url_hash, domain, source, title, content, content_hash, collection_id)
       VALUES ($1, 'https://u.example/', '\\x01', 'u.example', 'upload', 't', 'c', '\\x02', $2)`,
      [document, collection],
    );
    const [inside, outside] = [
      await hook({ filter: { collection_ids: [collection] } }),
      await hook({ filter: { collection_ids: [newId()] } }),
    ];
    const data = { document_id: document, url: 'https://u.example/', domain: 'u.example', version: 2 };
    await write([{ kind: 'document.changed', data }]);
    assert.deepEqual([await names(inside), await names(outside)], [['document.changed'], []]);
  });
});
