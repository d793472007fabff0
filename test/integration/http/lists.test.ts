import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { newId } from '../../../src/ids.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

interface Item {
  id: string;
  [field: string]: unknown;
}

/** The list, a sort with the field it shows, and how a row is written. Values come from a few, so that many are equal. */
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03'];
const LISTS: { path: string; sorts: Record<string, string>; insert: string; values: (at: number) => unknown[] }[] = [
  {
    path: '/sources',
    sorts: { created: 'id', name: 'name', next_run: 'next_run_at' },
    insert: `INSERT INTO sources (id, name, url, next_run_at) VALUES ($1, $2, 'https://example.com/', $3)`,
    values: (at) => [newId(), `name ${at % 5}`, at % 4 === 3 ? null : DAYS[at % 3]],
  },
  {
    path: '/documents',
    sorts: { created: 'id', updated: 'updated_at' },
    insert: `INSERT INTO documents (id, url, url_hash, domain, content, content_hash, updated_at)
      VALUES ($1, 'https://example.com/', sha256($2::text::bytea), 'example.com', '', '', $3)`,
    values: (at) => [newId(), newId(), DAYS[at % 3]],
  },
  {
    path: '/products?currency=EUR',
    sorts: { created: 'id', updated: 'updated_at', price: 'price' },
    insert: `INSERT INTO products (id, url, url_hash, domain, currency, price, parser, parser_version, content_hash, updated_at)
      VALUES ($1, 'https://example.com/', sha256($2::text::bytea), 'example.com', 'EUR', $3, 'x', '1', '', $4)`,
    values: (at) => [newId(), newId(), at % 5 === 4 ? null : (at % 4) * 1.25, DAYS[at % 3]],
  },
  {
    path: '/tags',
    sorts: { name: 'name', created: 'id' },
    insert: 'INSERT INTO tags (id, name) VALUES ($1, $2)',
    values: () => [newId(), newId().split('-').reverse().join('')],
  },
];

describe('lists', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api[Symbol.asyncDispose]());

  const get = async (path: string, query: Record<string, string>): Promise<{ items: Item[]; total?: number }> =>
    api.ok('GET', `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`);

  for (const { path, sorts, insert, values } of LISTS)
    it(`${path}: pages in any order hold every row once, in that order, while rows come in`, async () => {
      let number = 0;
      const add = () => api.app.database.query(insert, values(number++));
      for (let at = 0; at < 20; at++) await add();
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...Object.keys(sorts)),
          fc.constantFrom('asc', 'desc'),
          fc.integer({ min: 3, max: 12 }),
          fc.boolean(),
          async (sort, order, limit, busy) => {
            const whole = await get(path, { sort, order, limit: '200', total: 'true' });
            const field = sorts[sort]!;
            const there = whole.items.map(({ id }) => id);
            assert.equal(whole.total, there.length);
            assert.ok(whole.items.every((item) => item[field] !== null));
            const seen: Item[] = [];
            for (let cursor: string | undefined = ''; cursor !== undefined; ) {
              const query = { sort, order, limit: String(limit), ...(cursor === '' ? {} : { cursor }) };
              const page = (await get(path, query)) as { items: Item[]; next_cursor: string | null; total?: number };
              assert.ok(page.items.length <= limit && !('total' in page));
              seen.push(...page.items);
              cursor = page.next_cursor ?? undefined;
              if (busy && number < 60) await add();
            }
            const ids = seen.map(({ id }) => id);
            assert.equal(new Set(ids).size, ids.length, 'no row comes twice');
            assert.deepEqual(
              ids.filter((id) => there.includes(id)),
              there,
              'every row that was there comes, in its place',
            );
            for (const [at, item] of seen.entries())
              assert.ok(at === 0 || isInOrder(seen[at - 1]!, item, field, order), `${field} at ${at}`);
          },
        ),
        { numRuns: 12 },
      );
    });

  it('a cursor holds for the sort and order it came from only', async () => {
    const first = (await get('/sources', { limit: '2', sort: 'name' })) as unknown as { next_cursor: string };
    const cursor = first.next_cursor;
    assert.equal((await api.call('GET', `/sources?sort=name&limit=2&cursor=${cursor}`)).status, 200);
    for (const other of ['/sources?sort=created', '/sources?sort=name&order=desc', '/tags?sort=name', '/documents?']) {
      const { status, body } = await api.call('GET', `${other}&cursor=${cursor}`);
      assert.deepEqual([status, body.code], [400, 'CURSOR_INVALID'], other);
    }
  });

  it('total counts with the filters of the list, and only when asked', async () => {
    const all = await get('/sources', { total: 'true', limit: '1' });
    const some = await get('/sources', { total: 'true', limit: '1', query: 'name 1' });
    const [{ n } = { n: 0 }] = await api.app.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM sources WHERE name = 'name 1'`,
    );
    assert.equal(some.total, n);
    assert.ok(all.total! > n && n > 0);
    assert.ok(!('total' in (await get('/sources', { limit: '1' }))));
  });

  it('prices are sorted within one currency only', async () => {
    const { status, body } = await api.call('GET', '/products?sort=price');
    assert.deepEqual([status, Object.keys(body.details)], [400, ['query.sort']]);
  });

  it('each takes limit, cursor, sort, order and total', () => {
    // The frontier is ordered by what is next, or by time: its `state` says which.
    // An export has one order and no pages; its cursor is the last row that arrived.
    const others = ['listFrontier', 'exportRows'];
    const lists = ROUTES.filter(({ query }) => query instanceof z.ZodObject && 'cursor' in query.shape);
    assert.ok(lists.length > 20);
    const wrong = lists.filter(({ id, query }) => {
      const names = Object.keys((query as z.ZodObject).shape);
      return !others.includes(id) && !['limit', 'sort', 'order', 'total'].every((name) => names.includes(name));
    });
    assert.deepEqual(
      wrong.map(({ id }) => id),
      [],
      'extend its query with sortBy(…), and read it with readList',
    );
  });
});

function isInOrder(before: Item, item: Item, field: string, order: string): boolean {
  const [a, b] = order === 'asc' ? [before, item] : [item, before];
  const numeric = field === 'price';
  const [x, y] = [a[field], b[field]].map((value) => (numeric ? Number(value) : String(value)));
  return x! < y! || (x === y && a.id < b.id);
}
