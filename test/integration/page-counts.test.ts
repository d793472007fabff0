import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteOldPageCounts } from '../../src/db/access/page-counts.ts';
import { getCrawlRow } from '../../src/db/crawls/crawls.ts';
import { claimTasks } from '../../src/db/frontier/frontier.ts';
import { newId } from '../../src/ids.ts';
import { createScope } from '../../src/pipeline/frontier/scope.ts';
import type { PageOutcome } from '../../src/pipeline/outcome.ts';
import { storeBatch } from '../../src/pipeline/store/store-batch.ts';
import type { Database } from '../../src/ports/database.ts';
import { hashUrl } from '../../src/web/url.ts';
import { seedCrawl } from '../support/crawls.ts';
import { createTestDatabase } from '../support/database.ts';

/** Stores what every claimed task brought, in one batch. */
async function storeAll(database: Database, outcomeOf: (url: string) => Partial<PageOutcome>): Promise<void> {
  const limits = { workerId: 'w', max: 50, leaseMs: 60_000, defaultRps: 0, defaultConcurrency: 50 };
  const tasks = await claimTasks(database, { ...limits, windowMs: 2_000, aheadMs: 100 });
  const outcomes: PageOutcome[] = [];
  for (const task of tasks)
    outcomes.push({
      task,
      crawl: { row: (await getCrawlRow(database, task.crawl_id))!, scope: createScope([], {}), seen: new Set() },
      candidates: [],
      refused: {},
      feedback: {},
      result: result('completed'),
      ...outcomeOf(task.url),
    });
  await storeBatch(
    database,
    { workerId: 'w', maxNewUrlsPerSecond: 0, maxRetries: 3, recurrence: { floorS: 1, ceilingS: 2 } },
    { outcomes, rawRefs: new Map(), domainIds: new Map() },
  );
}

const result = (status: 'completed' | 'failed'): PageOutcome['result'] => ({
  status,
  code: null,
  message: null,
  http_status: 200,
  response_ms: 1,
  raw_meta: null,
  delay_ms: 0,
  failed: 0,
});

const urls = (host: string, count: number) => Array.from({ length: count }, (_, at) => `http://${host}/${at}`);

test('stored pages count for the key and the person behind a crawl, in the transaction that stores them', async () => {
  await using database = await createTestDatabase();
  const [key, person] = [newId(), newId()];
  await database.query(
    `INSERT INTO users (id, email, password_hash, role) VALUES ($1, 'p@example.com', 'x', 'viewer')`,
    [person],
  );
  await seedCrawl(database, urls('a.test', 3), { created_by: `key:${key}`, user_id: person });
  await seedCrawl(database, urls('b.test', 2), { created_by: `user:${person}`, user_id: person });
  await seedCrawl(database, urls('c.test', 2), { created_by: 'schedule' });
  await storeAll(database, (url) => (url.endsWith('/0') ? { result: result('failed') } : {}));
  const counts = async () =>
    new Map(
      (
        await database.query<{ owner: string; pages: number }>(
          'SELECT owner, sum(pages)::int AS pages FROM page_counts GROUP BY owner',
        )
      ).map(({ owner, pages }) => [owner, pages]),
    );
  assert.deepEqual(
    await counts(),
    new Map([
      [key, 2],
      [person, 3],
    ]),
  );
  await seedCrawl(database, urls('d.test', 1), { created_by: `key:${key}` });
  await storeAll(database, () => ({}));
  assert.equal((await counts()).get(key), 3);
  await database.query(`UPDATE page_counts SET day = day - 40 WHERE owner = $1`, [key]);
  await deleteOldPageCounts(database);
  assert.deepEqual([...(await counts()).keys()], [person]);
});

test('a crawl of a bound key leaves documents of other collections as they are', async () => {
  await using database = await createTestDatabase();
  const [mine, other] = [newId(), newId()];
  for (const id of [mine, other])
    await database.query('INSERT INTO collections (id, name) VALUES ($1, $1::uuid::text)', [id]);
  const pages = urls('shared.test', 6);
  const document = (url: string, text: string): Partial<PageOutcome> => ({
    document: {
      url,
      url_hash: hashUrl(url).toString('hex'),
      domain: 'shared.test',
      parent_task_id: null,
      title: null,
      content: text,
      content_hash: Buffer.from(text).toString('hex').padEnd(64, '0'),
      language: 'en',
      content_type: 'text/html',
      kind: null,
      source: 'crawl',
      collection_id: mine,
      source_id: null,
      metadata: {},
      chunking: {},
      priority: 5,
    },
  });
  const filed = async () =>
    (
      await database.query<{ url: string; content: string; collection_id: string | null; gone: boolean }>(
        'SELECT url, content, collection_id, gone_at IS NOT NULL AS gone FROM documents ORDER BY url',
      )
    ).map(({ url, content, collection_id, gone }) => [
      url.at(-1),
      content,
      collection_id === mine ? 'mine' : collection_id === other ? 'other' : 'none',
      gone,
    ]);
  // 0, 1 and 2 are another collection's; 3 is in none; 4 is in the key's own; 5 is new.
  await seedCrawl(database, pages.slice(0, 5));
  await storeAll(database, (url) => document(url, 'old'));
  await database.query('UPDATE documents SET collection_id = NULL');
  await database.query(`UPDATE documents SET collection_id = $1 WHERE right(url, 1) IN ('0', '1', '2')`, [other]);
  await database.query(`UPDATE documents SET collection_id = $1 WHERE right(url, 1) = '4'`, [mine]);
  const hash = (url: string) => hashUrl(url).toString('hex');
  const visit = (url: string): Partial<PageOutcome> => {
    if (url.endsWith('1')) return { unchanged: hash(url) };
    if (url.endsWith('2')) return { gone: [{ url_hash: hash(url), reason: 'not_found' }] };
    return document(url, 'new');
  };
  await seedCrawl(database, pages, { collection_id: mine, is_bound: true });
  await storeAll(database, visit);
  assert.deepEqual(await filed(), [
    ['0', 'old', 'other', false],
    ['1', 'old', 'other', false],
    ['2', 'old', 'other', false],
    ['3', 'old', 'none', false],
    ['4', 'new', 'mine', false],
    ['5', 'new', 'mine', false],
  ]);
  // One that is not bound takes them over, as ever.
  await seedCrawl(database, pages, { collection_id: mine });
  await storeAll(database, visit);
  assert.deepEqual(
    (await filed()).map(([, content, where, gone]) => [content, where, gone]),
    [
      ['new', 'mine', false],
      ['old', 'mine', false],
      ['old', 'other', true],
      ['new', 'mine', false],
      ['new', 'mine', false],
      ['new', 'mine', false],
    ],
  );
});
