import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadSettings } from '../../../src/config/load.ts';
import { createHttpFetcher } from '../../../src/drivers/fetcher/http.ts';
import { planDeliveries } from '../../../src/scheduler/plan-deliveries.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { isGenuine, type Receiver, startReceiver } from '../../support/webhook-receiver.ts';

describe('webhooks over HTTP', () => {
  let api: TestApi;
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
    const { settings } = loadSettings({ APP_ENV: 'test' });
    const guard = createGuard([receiver.origin]);
    api = await createTestApi({ guard, fetcher: createHttpFetcher({ guard, settings }) });
  });
  after(async () => {
    await api.app.fetcher[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  it('one for everything: made, listed, shown, changed, tested, sent again, its secret changed, deleted', async () => {
    const url = `${receiver.origin}/all`;
    const made = await api.ok('POST', '/webhooks', { url, events: ['completed', 'alert.*'] }, 201);
    assert.deepEqual([made.source_id, made.crawl_id, made.filter], [null, null, {}]);
    assert.deepEqual(made.events, ['crawl.completed', 'alert.*']);
    const listed = await api.ok('GET', '/webhooks');
    assert.deepEqual(
      listed.items.map(({ id, secret }: { id: string; secret?: string }) => [id, secret]),
      [[made.id, undefined]],
    );
    const filter = { domains: ['example.com'], url_pattern: '/shop/*', min_price_change_percent: 5 };
    const changed = await api.ok('PUT', `/webhooks/${made.id}`, { url, events: ['*', 'crawl.page'], filter });
    assert.deepEqual([changed.events, changed.filter], [['*', 'crawl.page'], filter]);
    assert.deepEqual((await api.ok('GET', `/webhooks/${made.id}`)).filter, filter);

    const tested = await api.ok('POST', `/webhooks/${made.id}/test`);
    assert.deepEqual(
      [tested.status, tested.event, tested.attempts, tested.max_attempts],
      ['delivered', 'webhook.test', 1, 1],
    );
    assert.equal(isGenuine(receiver.got.at(-1)!, made.secret), true);
    assert.deepEqual(JSON.parse(receiver.got.at(-1)!.body).data, { webhook_id: made.id });
    const again = await api.ok('POST', `/webhooks/${made.id}/deliveries/${tested.id}/redeliver`, undefined, 202);
    assert.equal(again.status, 'pending');
    assert.equal((await api.ok('GET', `/webhooks/${made.id}/deliveries`)).items[0].max_attempts, 1);

    const { secret } = await api.ok('POST', `/webhooks/${made.id}/rotate-secret`, { overlap_s: 60 });
    await api.ok('POST', `/webhooks/${made.id}/test`);
    for (const each of [made.secret, secret]) assert.equal(isGenuine(receiver.got.at(-1)!, each), true);
    await api.ok('DELETE', `/webhooks/${made.id}`, undefined, 204);
    assert.deepEqual((await api.ok('GET', '/webhooks')).items, []);
  });

  for (const [name, body] of [
    ['an unknown event', { events: ['crawl.exploded'] }],
    ['the audit trail', { events: ['admin.action'] }],
    ['no event', { events: [] }],
    ['an unknown filter', { filter: { colour: 'red' } }],
    ['a filter of no domain', { filter: { domains: [] } }],
    ['a filter with a bad id', { filter: { source_ids: ['x'] } }],
    ['a percentage below zero', { filter: { min_price_change_percent: -1 } }],
    ['a percentage that is no number', { filter: { min_price_change_percent: 'ten' } }],
    ['a NUL in a pattern', { filter: { url_pattern: 'a\0b' } }],
    ['too many domains', { filter: { domains: Array.from({ length: 101 }, (_, at) => `d${at}.example`) } }],
  ] as const)
    it(`refuses ${name}`, async () => {
      const answer = await api.call('POST', '/webhooks', { url: `${receiver.origin}/x`, ...body });
      assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_FAILED'], answer.text);
    });

  it('no more than a hundred are taken', async () => {
    const url = 'https://example.com/hook';
    for (let made = 0; made < 100; made++) await api.ok('POST', '/webhooks', { url }, 201);
    const answer = await api.call('POST', '/webhooks', { url });
    assert.deepEqual([answer.status, answer.body.code], [409, 'CONFLICT'], answer.text);
    await api.app.database.query('DELETE FROM webhooks');
  });

  it('a crawl takes one with a choice of events, or an address alone', async () => {
    const url = 'https://example.com/hook?token=hush';
    const start = async (rest: object) =>
      (await api.ok('POST', '/crawl', { urls: ['https://example.com/'], ...rest }, 202)).id as string;
    const chosen = await start({ webhook: { url, events: ['crawl.started', 'cancelled'], headers: { 'x-a': 'b' } } });
    const plain = await start({ webhook_url: url });
    const silent = await start({ webhook: { url, events: ['completed'] } });
    for (const id of [chosen, plain, silent]) await api.ok('POST', `/crawl/${id}/cancel`);
    await planDeliveries(api.app);
    const told = async (id: string) =>
      (await api.ok('GET', `/crawl/${id}/deliveries`)).items.map(({ event }: { event: string }) => event);
    assert.deepEqual(
      [await told(chosen), await told(plain), await told(silent)],
      [['crawl.cancelled'], ['crawl.cancelled'], []],
    );
    const [delivery] = (await api.ok('GET', `/crawl/${chosen}/deliveries`)).items;
    assert.equal(delivery.max_attempts, 9);
    const hook = await api.ok('GET', `/webhooks/${delivery.webhook_id}`);
    assert.deepEqual([hook.crawl_id, hook.header_names, hook.url.includes('hush')], [chosen, ['x-a'], false]);
    const both = await api.call('POST', '/crawl', {
      urls: ['https://example.com/'],
      webhook_url: url,
      webhook: { url },
    });
    assert.deepEqual([both.status, both.body.code], [400, 'VALIDATION_FAILED'], both.text);
  });
});
