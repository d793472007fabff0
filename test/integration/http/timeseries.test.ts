import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { newId } from '../../../src/ids.ts';
import { rollUpPages, rollUpStats } from '../../../src/scheduler/roll-up-stats.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('figures over time', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  beforeEach(() => api.app.database.query('DELETE FROM stats'));
  after(() => api[Symbol.asyncDispose]());

  const query = (text: string, values?: unknown[]) => api.app.database.query(text, values);
  const ask = (parameters: Record<string, string>) =>
    api.call('GET', `/stats/timeseries?${new URLSearchParams(parameters)}`);
  const series = async (parameters: Record<string, string>) => {
    const answer = await ask(parameters);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.points as [string, number][];
  };
  const sum = (points: readonly [string, number][]) => points.reduce((total, [, value]) => total + value, 0);
  const batch = (crawled: number, failed: number) => ({
    batch: { discovered: 0, crawled, failed, skipped: 0, cancelled: 0 },
  });
  const write = (kind: string, data: object, at: Date) =>
    query('INSERT INTO events (kind, data, created_at) VALUES ($1, $2, $3)', [kind, data, at]);

  it('add up to the events of their time, whatever the step', async () => {
    const now = Date.now();
    const event = fc.record({
      ageMs: fc.integer({ min: 0, max: 2 * DAY }),
      crawled: fc.integer({ min: -3, max: 50 }),
      failed: fc.integer({ min: 0, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 12 }),
        fc.constantFrom('5m', '7m', '1h', '90m', '2h', '1d', '2d'),
        fc.integer({ min: 1, max: 2 * DAY }),
        async (events, step, windowMs) => {
          await query('DELETE FROM stats');
          for (const { ageMs, crawled, failed } of events)
            await write('crawl.progress', batch(crawled, failed), new Date(now - ageMs));
          assert.equal(await rollUpStats(api.app), events.length);
          assert.equal(await rollUpStats(api.app), 0, 'each event counts once');
          const answer = (await ask({ metric: 'pages_crawled', step, from: new Date(now - windowMs).toISOString() }))
            .body;
          const [from, to] = [Date.parse(answer.from), Date.parse(answer.to)];
          const expected = events
            .filter(({ ageMs }) => now - ageMs >= from && now - ageMs < to)
            .reduce((total, { crawled }) => total + Math.max(0, crawled), 0);
          assert.equal(sum(answer.points), expected);
          for (const [at, [time]] of answer.points.entries())
            assert.equal(Date.parse(time), from + at * answer.step * 1_000, 'without gaps');
          const all = await series({ metric: 'pages_failed', step: '1d', from: new Date(now - 3 * DAY).toISOString() });
          assert.equal(
            sum(all),
            events.reduce((total, { failed }) => total + failed, 0),
          );
        },
      ),
      { numRuns: 15 },
    );
  });

  it('count documents, prices, crawls and alerts by their events', async () => {
    const document = { document_id: newId(), url: 'u', domain: 'd' };
    await write('document.changed', { ...document, version: 2 }, new Date());
    await write('document.changed', { ...document, version: 3 }, new Date());
    await write('document.gone', { ...document, reason: 'moved' }, new Date());
    await write('crawl.created', {}, new Date());
    await write('domain.blocked', { domain: 'd', reason: null }, new Date());
    await rollUpStats(api.app);
    for (const [metric, value] of Object.entries({ documents_changed: 2, documents_gone: 1, crawls_created: 1 }))
      assert.equal(sum(await series({ metric })), value, metric);
    const [row] = await query('SELECT count(*)::int AS rows FROM stats');
    assert.deepEqual(row, { rows: 9 }, 'three figures, each per minute, hour and day');
  });

  it('a roll-up that fails counts nothing, and the next one everything', async () => {
    await write('crawl.created', {}, new Date());
    await query(`ALTER TABLE stats ADD CONSTRAINT broken CHECK (value < 0) NOT VALID`);
    await assert.rejects(rollUpStats(api.app));
    await query('ALTER TABLE stats DROP CONSTRAINT broken');
    assert.equal(await rollUpStats(api.app), 1);
    assert.equal(sum(await series({ metric: 'crawls_created' })), 1);
  });

  it('responses and bytes come from pages, each minute once, also for the busiest domains', async () => {
    const domains = Array.from({ length: 22 }, () => newId());
    for (const [at, id] of domains.entries())
      await query('INSERT INTO domains (id, domain) VALUES ($1, $2)', [id, `d${at}.org`]);
    const minute = Math.floor(Date.now() / MINUTE) - 5;
    const visit = (domain: number, status: number | null, bytes: number | null, at = minute) =>
      query(
        `INSERT INTO pages (id, url, url_hash, domain_id, http_status, content_length, last_crawled_at)
         VALUES ($1::uuid, 'u', decode(md5($1::uuid::text), 'hex'), $2, $3, $4, $5)`,
        [newId(), domains[domain], status, bytes, new Date(at * MINUTE + 30_000)],
      );
    for (let domain = 0; domain < 22; domain++) await visit(domain, 200, 10);
    for (const [status, bytes] of [
      [200, 100],
      [304, 100],
      [404, 7],
      [503, null],
      [null, null],
    ] as const)
      await visit(3, status, bytes);
    await visit(3, 200, 1, minute + 5);
    await query(`UPDATE event_readers SET position = $1 WHERE name = 'stats.pages'`, [minute - 100]);
    assert.equal(await rollUpPages(api.app), 60, 'an hour at most in one run');
    while ((await rollUpPages(api.app)) > 0);
    const total = async (metric: string, more: Record<string, string> = {}) =>
      sum(await series({ metric, step: '1m', from: new Date((minute - 1) * MINUTE).toISOString(), ...more }));
    assert.equal(await total('responses_2xx'), 23, 'the present minute is not over yet');
    assert.deepEqual(
      [await total('responses_3xx'), await total('responses_4xx'), await total('responses_5xx')],
      [1, 1, 1],
    );
    assert.deepEqual([await total('responses_none'), await total('bytes')], [1, 22 * 10 + 100 + 7]);
    const domain = 'd3.org';
    assert.deepEqual([await total('responses_2xx', { domain }), await total('bytes', { domain })], [2, 117]);
    const [kept] = await query(
      `SELECT count(DISTINCT domain)::int AS domains FROM stats WHERE domain <> '' AND resolution = 'minute'`,
    );
    assert.deepEqual(kept, { domains: 20 });
  });

  it('choose a step that suits the time asked for', async () => {
    const from = (ms: number) => new Date(Date.now() - ms).toISOString();
    const stepOf = async (parameters: Record<string, string>) =>
      (await ask({ metric: 'pages_crawled', ...parameters })).body.step;
    assert.deepEqual(
      [await stepOf({}), await stepOf({ from: from(MINUTE) }), await stepOf({ from: from(80 * DAY) })],
      [300, 60, 21_600],
    );
    assert.equal(await stepOf({ from: '2020-01-01' }), 604_800);
  });

  it('refuse in words what they cannot answer', async () => {
    const long = new Date(Date.now() - 6 * DAY).toISOString();
    for (const [parameters, field] of [
      [{ metric: 'nope' }, 'metric'],
      [{ metric: 'bytes', step: '1m', from: long }, 'step'],
      [{ metric: 'bytes', step: '30s' }, 'step'],
      [{ metric: 'bytes', step: '0' }, 'step'],
      [{ metric: 'bytes', step: '99999999d' }, 'step'],
      [{ metric: 'bytes', step: '1w' }, 'step'],
      [{ metric: 'bytes', from: '2026-01-02', to: '2026-01-01' }, 'from'],
      [{ metric: 'bytes', from: '0001-01-01', step: '1d' }, 'step'],
      [{ metric: 'bytes', from: '2020-01-01', to: '2020-01-01T01:00:00Z', step: '1m' }, 'step'],
      [{ metric: 'pages_crawled', domain: 'example.com' }, 'domain'],
    ] as [Record<string, string>, string][]) {
      const answer = await ask(parameters);
      assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_FAILED'], JSON.stringify(parameters));
      assert.ok(`query.${field}` in answer.body.details, answer.text);
    }
    const edge = await ask({ metric: 'bytes', from: '9999-12-31', to: '9999-12-31T23:00:00Z', step: '1h' });
    assert.equal(edge.status, 200, edge.text);
  });
});
