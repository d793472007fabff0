import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { claimDeliveries } from '../../../src/db/webhooks/claim-deliveries.ts';
import { controlCrawl } from '../../../src/operations/crawls/control-crawl.ts';
import { startCrawl } from '../../../src/operations/crawls/start-crawl.ts';
import { createSource } from '../../../src/operations/sources/create-source.ts';
import { triggerSource } from '../../../src/operations/sources/trigger-source.ts';
import { attemptDelivery } from '../../../src/operations/webhooks/attempt-delivery.ts';
import { insertWebhookOfCrawl, readCrawlWebhook } from '../../../src/operations/webhooks/crawl-webhook.ts';
import {
  listCrawlDeliveries,
  listDeliveries,
  redeliver,
  testWebhook,
} from '../../../src/operations/webhooks/manage-deliveries.ts';
import { createWebhook, getWebhook, rotateSecret } from '../../../src/operations/webhooks/manage-webhooks.ts';
import { readSharedSecrets, rotateSharedSecret } from '../../../src/operations/webhooks/shared-secret.ts';
import { deliverWebhooks } from '../../../src/scheduler/deliver-webhooks.ts';
import { planDeliveries } from '../../../src/scheduler/plan-deliveries.ts';
import { eventually, useEngine } from '../../support/engine.ts';
import { startWebServer } from '../../support/web-server.ts';
import { isGenuine, type Receiver, startReceiver } from '../../support/webhook-receiver.ts';

const page = { limit: 50 };

describe('webhooks', () => {
  const engine = useEngine([]);
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver[Symbol.asyncDispose]());
  beforeEach(async () => {
    receiver.got.length = 0;
    receiver.answer = { status: 200 };
    for (const table of ['crawls', 'sources', 'webhooks']) await engine.database.query(`DELETE FROM ${table}`);
  });

  const makeSource = async () => {
    const fields = { name: 's', url: 'http://example.com/', options: {}, time_zone: 'UTC', is_active: true };
    const source = await createSource(engine.app, fields);
    const webhook = await createWebhook(engine.app, source.id, {
      url: `${receiver.origin}/hook`,
      headers: { 'x-own': 'yes' },
      events: ['crawl.completed', 'crawl.cancelled'],
      filter: {},
      is_active: true,
    });
    return { source, webhook };
  };
  const sendDue = async () => {
    let sent = 0;
    for (let due = await claimDeliveries(engine.database, 10, 60); due.length > 0; ) {
      for (const delivery of due) await attemptDelivery(engine.app, delivery);
      sent += due.length;
      due = await claimDeliveries(engine.database, 10, 60);
    }
    return sent;
  };
  it('tells the webhook of a crawl and those of its source once when it ends, signed', async () => {
    const { source, webhook } = await makeSource();
    const crawl = await triggerSource(engine.app, source.id);
    const given = readCrawlWebhook(engine.app, { webhook_url: `${receiver.origin}/own` })!;
    await engine.database.transaction((tx) => insertWebhookOfCrawl(tx, crawl.id, given));
    assert.equal(await planDeliveries(engine.app), 0, 'nothing has ended');
    await controlCrawl(engine.app, crawl.id, 'cancel');
    const told = await Promise.all([1, 2, 3].map(() => planDeliveries(engine.app)));
    assert.equal(
      told.reduce((sum, each) => sum + each, 0),
      2,
    );
    assert.equal(await sendDue(), 2);
    const own = receiver.got.find(({ path }) => path === '/own')!;
    const hook = receiver.got.find(({ path }) => path === '/hook')!;
    assert.equal(isGenuine(hook, webhook.secret), true);
    assert.equal(isGenuine(own, (await readSharedSecrets(engine.app))[0]!), true);
    assert.equal(isGenuine(own, webhook.secret), false);
    assert.equal(hook.headers['x-own'], 'yes');
    const message = JSON.parse(hook.body);
    assert.deepEqual([message.type, message.data.id, message.data.status], ['crawl.cancelled', crawl.id, 'cancelled']);
    const { items } = await listCrawlDeliveries(engine.app, crawl.id, page);
    assert.deepEqual(
      items.map(({ status, response_status, response_body }) => [status, response_status, response_body]),
      [
        ['delivered', 200, 'thanks'],
        ['delivered', 200, 'thanks'],
      ],
    );
  });

  it('a crawl that goes on again and ends again is told of again; an event nobody asked for is not', async () => {
    const { source, webhook } = await makeSource();
    const crawl = await triggerSource(engine.app, source.id);
    await controlCrawl(engine.app, crawl.id, 'cancel');
    assert.equal(await planDeliveries(engine.app), 1);
    await controlCrawl(engine.app, crawl.id, 'restart');
    await controlCrawl(engine.app, crawl.id, 'cancel');
    assert.equal(await planDeliveries(engine.app), 1);
    await engine.database.query("UPDATE webhooks SET events = '{crawl.failed}' WHERE id = $1", [webhook.id]);
    await controlCrawl(engine.app, crawl.id, 'restart');
    await controlCrawl(engine.app, crawl.id, 'cancel');
    assert.equal(await planDeliveries(engine.app), 0);
  });

  for (const [name, reply, minimum, maximum] of [
    ['a server error', { status: 500 }, 4, 7],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, 4, 7],
    ['Retry-After', { status: 503, headers: { 'retry-after': '7200' } }, 7_190, 8_700],
  ] as const)
    it(`puts off after ${name}`, async () => {
      const { source, webhook } = await makeSource();
      const crawl = await triggerSource(engine.app, source.id);
      await controlCrawl(engine.app, crawl.id, 'cancel');
      await planDeliveries(engine.app);
      receiver.answer = reply;
      await sendDue();
      const [row] = await engine.database.query<{
        status: string;
        attempts: number;
        wait: number;
        response_status: number;
      }>(
        `SELECT status, attempts, response_status, extract(epoch FROM next_attempt_at - last_attempt_at)::float8 AS wait
         FROM webhook_deliveries WHERE webhook_id = $1`,
        [webhook.id],
      );
      assert.deepEqual([row!.status, row!.attempts, row!.response_status], ['pending', 1, reply.status]);
      assert.ok(row!.wait >= minimum && row!.wait <= maximum, `${row!.wait}`);
      assert.deepEqual(
        receiver.got.map(({ path }) => path),
        ['/hook'],
      );
    });

  it('gives up after about a day, and sends again under the same id when asked', async () => {
    const { source, webhook } = await makeSource();
    const crawl = await triggerSource(engine.app, source.id);
    await controlCrawl(engine.app, crawl.id, 'cancel');
    await planDeliveries(engine.app);
    receiver.answer = { status: 500 };
    let waited = 0;
    while ((await sendDue()) > 0) {
      const [row] = await engine.database.query<{ wait: number | null }>(
        `UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 s' WHERE status = 'pending'
         RETURNING extract(epoch FROM (SELECT max(next_attempt_at) FROM webhook_deliveries) - last_attempt_at)::float8 AS wait`,
      );
      waited += row?.wait ?? 0;
    }
    assert.ok(waited > 20 * 3_600 && waited < 27 * 3_600, `${waited}`);
    const [failed] = (await listDeliveries(engine.app, webhook.id, page)).items;
    assert.deepEqual([failed!.status, failed!.attempts], ['failed', 9]);
    receiver.answer = { status: 204 };
    await redeliver(engine.app, webhook.id, failed!.id);
    await sendDue();
    assert.equal((await listDeliveries(engine.app, webhook.id, page)).items[0]!.status, 'delivered');
    assert.equal(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size, 1);
  });

  it('410 turns the webhook off, and ends what waits for it', async () => {
    const { webhook } = await makeSource();
    receiver.answer = { status: 410 };
    const tested = await testWebhook(engine.app, webhook.id);
    assert.deepEqual([tested.status, tested.response_status], ['failed', 410]);
    const after = await getWebhook(engine.app, webhook.id);
    assert.equal(after.is_active, false);
    assert.match(after.disabled_reason!, /410/);
    assert.equal((await testWebhook(engine.app, webhook.id)).error, 'the webhook is off');
    assert.equal(receiver.got.length, 1);
  });

  it('both secrets sign while one is changed', async () => {
    const { webhook } = await makeSource();
    const changed = await rotateSecret(engine.app, webhook.id, { overlap_s: 60 });
    await testWebhook(engine.app, webhook.id);
    assert.deepEqual(
      [isGenuine(receiver.got[0]!, webhook.secret), isGenuine(receiver.got[0]!, changed.secret)],
      [true, true],
    );
    await engine.database.query("UPDATE webhooks SET previous_secret_until = now() - interval '1 s'");
    await testWebhook(engine.app, webhook.id);
    assert.deepEqual(
      [isGenuine(receiver.got[1]!, webhook.secret), isGenuine(receiver.got[1]!, changed.secret)],
      [false, true],
    );
    const [shared] = await readSharedSecrets(engine.app);
    const next = await rotateSharedSecret(engine.app, 60);
    assert.deepEqual(await readSharedSecrets(engine.app), [next, shared]);
  });

  it('refuses private receivers when they are given, and when they turn up later', async () => {
    const hook = { headers: {}, events: ['crawl.completed'], filter: {}, is_active: true };
    const { source, webhook } = await makeSource();
    await assert.rejects(createWebhook(engine.app, source.id, { ...hook, url: 'http://10.0.0.1/' }), {
      code: 'URL_BLOCKED',
    });
    await assert.rejects(
      startCrawl(engine.app, { urls: ['http://example.com/'], webhook_url: 'http://169.254.169.254/' }),
      { code: 'URL_BLOCKED' },
    );
    await engine.database.query("UPDATE webhooks SET url = 'http://10.0.0.1/'");
    assert.match((await testWebhook(engine.app, webhook.id)).error!, /^URL_BLOCKED/);
  });

  it('the sender sends what is due by itself, and a slow receiver holds up nobody', async () => {
    const { webhook } = await makeSource();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using slow = await startWebServer((_request, response) => void held.then(() => response.end()));
    await engine.database.query(
      `INSERT INTO webhook_deliveries (id, webhook_id, event, payload, endpoint)
       SELECT gen_random_uuid(), $1, 'x', '{}', 'fast' FROM generate_series(1, 3)`,
      [webhook.id],
    );
    const { source } = await makeSource();
    const stuck = await createWebhook(engine.app, source.id, {
      url: `${slow.origin}/slow`,
      headers: {},
      events: ['crawl.completed'],
      filter: {},
      is_active: true,
    });
    await engine.database.query(
      `INSERT INTO webhook_deliveries (id, webhook_id, event, payload, endpoint, next_attempt_at)
       SELECT gen_random_uuid(), $1, 'x', '{}', 'slow', now() - interval '1 hour' FROM generate_series(1, 300)`,
      [stuck.id],
    );
    const stop = engine.run(deliverWebhooks);
    await eventually(
      async () => receiver.got.length,
      (count) => count === 3,
    );
    assert.deepEqual(slow.asked, ['/slow']);
    release();
    await eventually(
      () => listDeliveries(engine.app, stuck.id, page),
      ({ items }) => items.some(({ status }) => status === 'delivered'),
    );
    await stop();
  });
});
