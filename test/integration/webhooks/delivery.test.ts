import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { claimDeliveries } from '../../../src/db/webhooks/claim-deliveries.ts';
import { deleteOldDeliveries, insertDeliveries } from '../../../src/db/webhooks/webhook-deliveries.ts';
import { newId } from '../../../src/ids.ts';
import { attemptDelivery } from '../../../src/operations/webhooks/attempt-delivery.ts';
import { createWebhook, getWebhook, updateWebhook } from '../../../src/operations/webhooks/manage-webhooks.ts';
import { deliverWebhooks } from '../../../src/scheduler/deliver-webhooks.ts';
import { eventually, useEngine } from '../../support/engine.ts';
import { readLog } from '../../support/events.ts';
import { startProgram } from '../../support/instance.ts';
import { startWebServer } from '../../support/web-server.ts';
import { isGenuine, openMessage, type Receiver, startReceiver } from '../../support/webhook-receiver.ts';

/** How messages reach their receivers, whatever happens to either side. */
describe('delivering', () => {
  const engine = useEngine([]);
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver[Symbol.asyncDispose]());
  beforeEach(async () => {
    receiver.got.length = 0;
    receiver.answer = { status: 200 };
    await engine.database.query('DELETE FROM webhooks');
  });

  const makeHook = (url = `${receiver.origin}/hook`) =>
    createWebhook(engine.app, null, { url, events: ['*'], filter: {}, is_active: true });
  const queue = async (webhookId: string, count: number) => {
    const rows = Array.from({ length: count }, (_, nth) => ({
      ...{ id: newId(), webhook_id: webhookId, crawl_id: null, event: 'source.run', max_attempts: 9 },
      payload: { type: 'source.run', timestamp: new Date(), data: { nth } },
    }));
    await insertDeliveries(engine.database, rows);
    return rows.map(({ id }) => id);
  };
  const statusOf = async (id: string) =>
    (await engine.database.query<{ status: string }>('SELECT status FROM webhook_deliveries WHERE id = $1', [id]))[0]
      ?.status;
  /** As if so much time had passed for the messages that wait. */
  const passTime = () =>
    engine.database.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now(), claimed_until = now() WHERE status = 'pending'`,
    );
  const sendDue = async () => {
    for (const delivery of await claimDeliveries(engine.database, 10, 60)) await attemptDelivery(engine.app, delivery);
  };

  it('the reference library accepts a message, and refuses every part of it that was altered', async () => {
    const { id, secret } = await makeHook();
    await queue(id, 1);
    await sendDue();
    const [message] = receiver.got;
    assert.deepEqual(openMessage(message!, secret).data, { nth: 0 });
    const { headers, body } = message!;
    const altered = [
      { ...message!, body: body.replace('source.run', 'source.ran') },
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
        const value = name === 'webhook-timestamp' ? String(Number(headers[name]) + 1) : `${headers[name]}x`;
        return { ...message!, headers: { ...headers, [name]: value } };
      }),
      {
        ...message!,
        headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 3_600) },
      },
    ];
    for (const each of altered) assert.equal(isGenuine(each, secret), false, JSON.stringify(each));
  });

  it('an address gets one message at a time, in order, over several senders', async () => {
    let [open, most] = [0, 0];
    const seen: number[] = [];
    await using slow = await startWebServer((request, response) => {
      most = Math.max(most, ++open);
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () =>
        setTimeout(() => {
          open--;
          seen.push(JSON.parse(body).data.nth);
          response.end();
        }, 5),
      );
    });
    const { id } = await makeHook(`${slow.origin}/x`);
    await queue(id, 25);
    const stops = [1, 2, 3].map(() => engine.run(deliverWebhooks));
    await eventually(
      async () => seen.length,
      (count) => count === 25,
    );
    await Promise.all(stops.map((stop) => stop()));
    assert.equal(most, 1);
    assert.deepEqual(
      seen,
      Array.from({ length: 25 }, (_, nth) => nth),
    );
  });

  it('one that never answers delays nobody, however much waits for it', async () => {
    await using dead = await startWebServer(() => {});
    for (const path of ['/a', '/b', '/c']) await queue((await makeHook(dead.origin + path)).id, 200);
    const stop = engine.run(deliverWebhooks);
    await eventually(
      async () => dead.asked.length,
      (count) => count === 3,
    );
    const { id } = await makeHook();
    const since = performance.now();
    await queue(id, 5);
    await eventually(
      async () => receiver.got.length,
      (count) => count === 5,
    );
    assert.ok(performance.now() - since < 10_000, 'well before the dead one is given up');
    assert.equal(dead.asked.length, 3, 'one at a time for each address');
    await dead[Symbol.asyncDispose]();
    await stop();
  });

  it('a receiver that dies in the middle gets the message again, under the same id', async () => {
    let alive = false;
    const ids: string[] = [];
    await using fragile = await startWebServer((request, response) => {
      ids.push(String(request.headers['webhook-id']));
      if (alive) response.end();
      else request.socket.destroy();
    });
    const { id } = await makeHook(`${fragile.origin}/x`);
    const [delivery] = await queue(id, 1);
    await sendDue();
    assert.equal(await statusOf(delivery!), 'pending');
    alive = true;
    await passTime();
    await sendDue();
    assert.deepEqual([await statusOf(delivery!), ids], ['delivered', [`msg_${delivery}`, `msg_${delivery}`]]);
    await passTime();
    await sendDue();
    assert.equal(ids.length, 2, 'and not once more');
  });

  it('a sender that is killed in the middle leaves the message to the next one', { timeout: 60_000 }, async () => {
    const { id, secret } = await makeHook();
    const [delivery] = await queue(id, 1);
    receiver.answer = undefined;
    const { dataDir } = engine.app.settings;
    const env = { DATA_DIR: dataDir, DATABASE__POSTGRES_URL: engine.database.url, GUARD__ALLOW: '127.0.0.0/8' };
    const sender = startProgram(['scheduler'], env);
    try {
      await eventually(
        async () => receiver.got.length,
        (count) => count === 1,
      );
    } finally {
      sender.child.kill('SIGKILL');
      await sender.ended;
    }
    receiver.answer = { status: 200 };
    assert.equal((await claimDeliveries(engine.database, 10, 60)).length, 0, 'not before the lease is over');
    await passTime();
    await sendDue();
    assert.equal(await statusOf(delivery!), 'delivered');
    assert.deepEqual(
      receiver.got.map(({ headers }) => headers['webhook-id']),
      [`msg_${delivery}`, `msg_${delivery}`],
    );
    for (const message of receiver.got) assert.equal(isGenuine(message, secret), true);
  });

  it('a webhook that failed for days is turned off when a message is given up, and the log says so', async () => {
    const { id } = await makeHook();
    const giveUp = async () => {
      const [delivery] = await queue(id, 1);
      await engine.database.query('UPDATE webhook_deliveries SET attempts = 8 WHERE id = $1', [delivery]);
      await sendDue();
      return statusOf(delivery!);
    };
    const age = (days: number) =>
      engine.database.query(`UPDATE webhooks SET failing_since = now() - $1::int * interval '1 day'`, [days]);
    receiver.answer = { status: 500 };
    assert.equal(await giveUp(), 'failed');
    assert.notEqual((await getWebhook(engine.app, id)).failing_since, null);
    assert.equal((await getWebhook(engine.app, id)).is_active, true, 'one message is no reason');
    await age(6);
    const [waiting] = await queue(id, 1);
    await sendDue();
    assert.equal((await getWebhook(engine.app, id)).is_active, true, 'it is tried for a day first');
    receiver.answer = { status: 200 };
    await passTime();
    await sendDue();
    assert.deepEqual(
      [await statusOf(waiting!), (await getWebhook(engine.app, id)).failing_since],
      ['delivered', null],
      'one delivered message starts it anew',
    );
    receiver.answer = { status: 503 };
    await giveUp();
    await age(6);
    const [late] = await queue(id, 1);
    await engine.database.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 h' WHERE id = $1`,
      [late],
    );
    await giveUp();
    const off = await getWebhook(engine.app, id);
    assert.deepEqual([off.is_active, await statusOf(late!)], [false, 'failed']);
    assert.match(off.disabled_reason!, /6 days.*503/);
    const log = (await readLog(engine.database)).filter(({ kind }) => kind === 'webhook.disabled');
    assert.deepEqual(
      log.map(({ subject, data }) => [subject, data]),
      [[id, { webhook_id: id, url: `${receiver.origin}/hook`, reason: off.disabled_reason }]],
    );
    const on = await updateWebhook(engine.app, id, { url: off.url, events: off.events, filter: {}, is_active: true });
    assert.deepEqual([on.is_active, on.disabled_reason, on.failing_since], [true, null, null]);
  });

  it('what was sent is forgotten by retention, what waits is not', async () => {
    const { id } = await makeHook();
    const [sent] = await queue(id, 1);
    await sendDue();
    const [waiting] = await queue(id, 1);
    await engine.database.query(`UPDATE webhook_deliveries SET created_at = now() - interval '31 days'`);
    assert.equal(await deleteOldDeliveries(engine.database, 30, 10), 1);
    assert.deepEqual([await statusOf(sent!), await statusOf(waiting!)], [undefined, 'pending']);
  });
});
