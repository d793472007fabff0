import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('the log of events over HTTP', () => {
  let api: TestApi;
  let crawlId: string;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) });
    crawlId = (await api.call('POST', '/crawl', { urls: ['https://example.com/'] })).body.id;
    await api.call('POST', `/crawl/${crawlId}/cancel`);
    await api.call('POST', '/domains/example.com/block', { reason: 'enough' });
  });
  after(() => api[Symbol.asyncDispose]());

  const list = async (query: string, key: 'admin' | 'read' = 'read') => {
    const answer = await api.call('GET', `/events${query}`, undefined, { authorization: `Bearer ${api.keys[key]}` });
    assert.equal(answer.status, 200, answer.text);
    return answer.body as {
      items: { kind: string; position: number; seq: number | null; data: Record<string, unknown> }[];
      next_cursor: string | null;
    };
  };
  const kinds = ({ items }: { items: { kind: string }[] }) => items.map(({ kind }) => kind);

  it('lists by kind, crawl and time, either way round', async () => {
    const own = await list(`?crawl_id=${crawlId}&order=asc`);
    assert.deepEqual(kinds(own), ['crawl.created', 'crawl.progress', 'crawl.cancelled', 'crawl.progress']);
    assert.deepEqual(
      own.items.map(({ seq }) => seq),
      [1, 2, 3, 4],
    );
    assert.equal(own.items[2]?.data.error_code, null, 'nothing of the data is lost');
    assert.deepEqual(kinds(await list('?kinds=domain.blocked,crawl.cancelled')), ['domain.blocked', 'crawl.cancelled']);
    assert.deepEqual(kinds(await list('?kinds=domain.*,crawl.cancelled')), ['domain.blocked', 'crawl.cancelled']);
    assert.deepEqual(kinds(await list(`?order=asc&crawl_id=${crawlId}&after=${own.items[1]!.position}`)), [
      'crawl.cancelled',
      'crawl.progress',
    ]);
    assert.equal((await api.call('GET', '/events?kinds=nonsense.*')).body.code, 'VALIDATION_FAILED');
    assert.deepEqual(kinds(await list('?since=2999-01-01T00:00:00Z')), []);
    assert.deepEqual(kinds(await list('?until=2000-01-01T00:00:00Z')), []);
    assert.equal((await api.call('GET', '/events?kinds=crawl.nonsense')).body.code, 'VALIDATION_FAILED');
  });

  it('a cursor goes through all of it, once', async () => {
    for (const order of ['asc', 'desc']) {
      const seen: number[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await list(`?limit=2&order=${order}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...page.items.map(({ position }) => position));
        cursor = page.next_cursor;
      }
      const all = (await list(`?limit=200&order=${order}`)).items.map(({ position }) => position);
      assert.deepEqual(seen, all);
      assert.deepEqual(
        all,
        [...all].sort((a, b) => (order === 'asc' ? a - b : b - a)),
      );
    }
  });
});
