import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { App } from '../../src/app.ts';
import { createPostgresDispatch } from '../../src/drivers/dispatch/postgres.ts';
import { createPostgresPubSub } from '../../src/drivers/pubsub/postgres.ts';
import { newId } from '../../src/ids.ts';
import { ReplayInput, replay } from '../../src/operations/crawls/replay.ts';
import type { Database } from '../../src/ports/database.ts';
import type { Dispatch } from '../../src/ports/dispatch.ts';
import { hashUrl } from '../../src/web/url.ts';
import { createTestDatabase } from '../support/database.ts';

describe('replay', () => {
  let database: Database;
  let app: App;
  let dispatch: Dispatch;
  const crawlId = newId();
  before(async () => {
    database = await createTestDatabase();
    const pubsub = createPostgresPubSub({ database });
    dispatch = createPostgresDispatch({ database, pubsub });
    app = { database, dispatch, pubsub } as App;
    await database.query(
      `INSERT INTO crawls (id, kind, status, urls, pages_discovered, pages_crawled, completed_at)
       VALUES ($1, 'urls', 'completed', '{}', 4, 4, now())`,
      [crawlId],
    );
  });
  after(async () => {
    await dispatch[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  /** A page that was visited, with the task of each visit; the response of the last one is still named by the page. */
  async function visit(url: string, domain: string, days: number[], parser?: string): Promise<string[]> {
    const ids: string[] = [];
    await database.query(`INSERT INTO domains (id, domain) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [newId(), domain]);
    for (const [at, day] of days.entries()) {
      ids.push(newId());
      await database.query(
        `INSERT INTO tasks (id, crawl_id, domain_id, url, url_hash, status, visit, raw_ref, completed_at)
         SELECT $1, $2, id, $3, $4, 'completed', $5, $6, now() - $7 * interval '1 day' FROM domains WHERE domain = $8`,
        [ids[at], crawlId, url, hashUrl(url), at, `raw-${url}-${at}`, day, domain],
      );
    }
    const pageId = newId();
    await database.query(
      `INSERT INTO pages (id, url, url_hash, domain_id, raw_ref) SELECT $1, $2, $3, id, $4 FROM domains WHERE domain = $5`,
      [pageId, url, hashUrl(url), `raw-${url}-${days.length - 1}`, domain],
    );
    if (parser !== undefined)
      await database.query(
        `INSERT INTO products (id, url, url_hash, domain, page_id, parser, parser_version, content_hash)
         VALUES ($1, $2, $3, $4, $5, $6, '1', '')`,
        [newId(), url, hashUrl(url), domain, pageId, parser],
      );
    return ids;
  }

  const run = (input: object) => replay(app, ReplayInput.parse(input));
  const woken = async () => (await dispatch.receive('fetch', 1, 0, new AbortController().signal)) !== undefined;
  const waiting = async () =>
    (
      await database.query<{ id: string }>(`SELECT id FROM tasks WHERE status = 'pending' AND parse_only ORDER BY id`)
    ).map((row) => row.id);

  it('counts, then reads the newest response of each matching page again', async () => {
    const [, newest] = await visit('https://shop.example.com/a', 'example.com', [9, 2], 'generic');
    const [amazon] = await visit('https://www.amazon.com/dp/1', 'amazon.com', [1], 'amazon');
    await visit('https://shop.example.com/old', 'example.com', [40]);

    assert.deepEqual(await run({ dry_run: true, domain: 'shop.example.com' }), {
      dry_run: true,
      pages: 2,
      domains: [{ domain: 'example.com', pages: 2 }],
    });
    assert.equal((await run({ dry_run: true, parser: 'amazon@1' })).pages, 1);
    assert.equal((await run({ dry_run: true, parser: 'amazon@2' })).pages, 0);
    assert.deepEqual(await waiting(), []);
    assert.equal(await woken(), false, 'counting wakes nobody');

    const since = new Date(Date.now() - 10 * 86_400_000).toISOString();
    assert.equal((await run({ domain: 'example.com', since })).pages, 1);
    assert.deepEqual(await waiting(), [newest]);
    assert.equal(await woken(), true);
    assert.equal((await run({ parser: 'amazon' })).pages, 1);
    assert.deepEqual(await waiting(), [newest, amazon].sort());
    assert.equal((await run({ domain: 'example.com', since })).pages, 0, 'what waits already is not taken twice');

    const [crawl] = await database.query<{ status: string; pages_crawled: number }>(
      'SELECT status, pages_crawled FROM crawls',
    );
    assert.deepEqual(crawl, { status: 'running', pages_crawled: 2 });
    const domains = await database.query('SELECT 1 FROM domains WHERE waiting');
    assert.equal(domains.length, 2);
  });
});
