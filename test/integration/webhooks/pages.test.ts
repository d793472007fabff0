import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { appendEvents } from '../../../src/db/events/append-events.ts';
import { findCrawlsWithPageEvents } from '../../../src/db/events/page-events.ts';
import { insertWebhook, type WebhookFields } from '../../../src/db/webhooks/webhooks.ts';
import { newId } from '../../../src/ids.ts';
import type { Database, Transaction } from '../../../src/ports/database.ts';
import { planDeliveries } from '../../../src/scheduler/plan-deliveries.ts';
import { seedCrawl } from '../../support/crawls.ts';
import { createTestDatabase } from '../../support/database.ts';

interface Batch {
  event: string;
  crawl_id: string;
  pages: { seq: number; url: string; outcome: string }[];
}

describe('messages about pages', () => {
  let database: Database & AsyncDisposable;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database[Symbol.asyncDispose]());

  const hook = async (fields: Partial<WebhookFields>, of: { source_id?: string; crawl_id?: string } = {}) => {
    const scope = { source_id: null, crawl_id: null, ...of, secret: of.crawl_id === undefined ? 'sealed' : null };
    const events = ['crawl.page', 'crawl.completed'];
    const defaults = { url: 'https://r.example/', headers: {}, events, filter: {}, is_active: true };
    return (await insertWebhook(database, { id: newId(), ...scope }, { ...defaults, ...fields })).id;
  };
  const writePages = (crawlId: string, count: number) =>
    database.transaction((tx) =>
      appendEvents(
        tx,
        Array.from({ length: count }, (_, at) => {
          const data = { task_id: newId(), url: `https://p.example/${at}`, depth: 0, http_status: 200 };
          return { kind: 'page.stored' as const, crawl_id: crawlId, data: { ...data, code: null, message: null } };
        }),
      ),
    );
  const read = (webhookId: string) =>
    database.query<Batch>(
      `SELECT event, crawl_id, coalesce(payload #> '{data,pages}', '[]') AS pages FROM webhook_deliveries
       WHERE webhook_id = $1 ORDER BY id`,
      [webhookId],
    );
  /** The numbers of the pages in the log. */
  const logged = async (crawlId: string) =>
    (
      await database.query<{ seq: number }>(
        `SELECT seq FROM events WHERE crawl_id = $1 AND kind = 'page.stored' ORDER BY seq`,
        [crawlId],
      )
    ).map(({ seq }) => seq);

  it('up to a hundred share a message, in order; the end of the crawl comes after them', async () => {
    const crawl = await seedCrawl(database, ['https://p.example/']);
    const id = await hook({}, { crawl_id: crawl });
    await writePages(crawl, 250);
    await database.query(`UPDATE crawls SET status = 'completed', completed_at = now() WHERE id = $1`, [crawl]);
    await planDeliveries({ database });
    const batches = await read(id);
    assert.deepEqual(
      batches.map(({ event, pages }) => [event, pages.length]),
      [
        ['crawl.page', 100],
        ['crawl.page', 100],
        ['crawl.page', 50],
        ['crawl.completed', 0],
      ],
    );
    assert.deepEqual(
      batches.flatMap(({ pages }) => pages.map(({ seq }) => seq)),
      await logged(crawl),
    );
    assert.equal(batches[0]!.pages[0]!.outcome, 'stored');
  });

  it('a planner that dies between any two steps loses no page and sends none twice', async () => {
    let left = Number.POSITIVE_INFINITY;
    const step = () => {
      if (left-- <= 0) throw new Error('killed');
    };
    /** The process ends before the statement that it may no longer send: PostgreSQL undoes the open transaction. */
    const mortal = Object.assign(Object.create(database) as Database, {
      query: (text: string, values?: readonly unknown[]) => {
        step();
        return database.query(text, values);
      },
      transaction: <Result>(work: (tx: Transaction) => Promise<Result>) =>
        database.transaction(async (tx) => {
          const query = (text: string, values?: readonly unknown[]) => {
            step();
            return tx.query(text, values);
          };
          const result = await work(Object.assign(Object.create(tx) as Transaction, { query }));
          step();
          return result;
        }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pages: fc.nat(130), dies: fc.option(fc.nat(14)) }), { minLength: 1, maxLength: 6 }),
        async (rounds) => {
          await database.query('DELETE FROM webhooks');
          const crawls = [
            await seedCrawl(database, ['https://p.example/']),
            await seedCrawl(database, ['https://q.example/']),
          ];
          await planDeliveries({ database });
          const id = await hook({ events: ['crawl.page'] });
          for (const [nth, { pages, dies }] of rounds.entries()) {
            await writePages(crawls[nth % 2]!, pages);
            left = dies ?? Number.POSITIVE_INFINITY;
            await planDeliveries({ database: mortal }).catch((error: Error) => assert.equal(error.message, 'killed'));
          }
          await planDeliveries({ database });
          const batches = await read(id);
          for (const crawl of crawls)
            assert.deepEqual(
              batches.filter(({ crawl_id }) => crawl_id === crawl).flatMap(({ pages }) => pages.map(({ seq }) => seq)),
              await logged(crawl),
            );
          for (const { pages } of batches) assert.ok(pages.length >= 1 && pages.length <= 100, `${pages.length}`);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('a crawl writes an event a page only where a webhook that covers it names crawl.page', async () => {
    await database.query('DELETE FROM webhooks');
    const source = newId();
    await database.query(`INSERT INTO sources (id, name, url) VALUES ($1, 's', 'https://p.example/')`, [source]);
    const own = await seedCrawl(database, ['https://p.example/'], { source_id: source });
    const other = await seedCrawl(database, ['https://q.example/']);
    const asked = async () => [...(await findCrawlsWithPageEvents(database, [own, other]))].sort();
    const both = [own, other].sort();
    const cases: [name: string, make: () => Promise<string>, crawls: string[]][] = [
      ['all wildcards', () => hook({ events: ['*', 'crawl.*'] }), []],
      ['of the crawl', () => hook({}, { crawl_id: own }), [own]],
      ['of the source', () => hook({}, { source_id: source }), [own]],
      ['of everything', () => hook({}), both],
      ['of everything, filtered by source', () => hook({ filter: { source_ids: [source] } }), [own]],
      ['turned off', () => hook({ is_active: false }), []],
    ];
    assert.deepEqual(await asked(), []);
    for (const [name, make, crawls] of cases) {
      const id = await make();
      assert.deepEqual(await asked(), crawls, name);
      await database.query('DELETE FROM webhooks WHERE id = $1', [id]);
    }
    await database.query('UPDATE crawls SET page_events = true WHERE id = $1', [other]);
    assert.deepEqual(await asked(), [other], 'the option of the crawl');
  });
});
