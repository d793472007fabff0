import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { loadSettings } from '../../../src/config/load.ts';
import { appendEvents } from '../../../src/db/events/append-events.ts';
import { wakeReaders } from '../../../src/db/events/wake-readers.ts';
import { createApiKey } from '../../../src/operations/access/create-api-key.ts';
import { revokeApiKey } from '../../../src/operations/access/revoke-api-key.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import {
  type Heard,
  openSocket,
  openStream,
  refusedSocket,
  type StreamClient,
  untilClosed,
} from '../../support/event-stream.ts';
import { readLog } from '../../support/events.ts';

const NOBODY = '01920000-0000-7000-8000-000000000000';
const { settings } = loadSettings({ APP_ENV: 'test', LIVE__HEARTBEAT_MS: '100' });

describe('streams', () => {
  let api: TestApi;
  let origin: string;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]), settings });
    ({ origin } = await listen(api.server, { host: '127.0.0.1', port: 0 }));
  });
  after(() => api[Symbol.asyncDispose]());

  const start = async () =>
    (await api.call('POST', '/crawl', { urls: ['https://example.com/live'] })).body.id as string;
  const steps = async (id: string, names: readonly string[]) => {
    for (const step of names) assert.equal((await api.call('POST', `/crawl/${id}/${step}`)).status, 200);
  };
  const written = async (id: string, after = 0) =>
    (await readLog(api.app.database, id))
      .filter(({ seq }) => seq! > after)
      .map(({ kind, seq, data }) => [kind, String(seq), data]);
  const received = (heard: readonly Heard[]) =>
    heard.filter(({ event }) => event.startsWith('crawl.') && event !== 'crawl.snapshot').map(toRow);
  const toRow = ({ event, id, data }: Heard) => [event, id, data.data];
  const block = (count: number, reason: string) =>
    api.app.database.transaction((tx) =>
      appendEvents(
        tx,
        Array.from({ length: count }, (_, nth) => ({
          kind: 'domain.blocked' as const,
          data: { domain: `d${nth}`, reason },
        })),
      ),
    );

  for (const [name, open] of [
    ['server-sent events', (id: string) => openStream(origin, `/crawl/${id}/stream`, api.keys.read)],
    ['a WebSocket', (id: string) => openSocket(origin, `/ws/crawl/${id}`, api.keys.read)],
  ] as [string, (id: string) => Promise<StreamClient>][])
    it(`${name}: the crawl as it is, every event since, and the end`, async () => {
      const id = await start();
      const client = await open(id);
      const [snapshot] = await client.until((heard) => heard.length > 0);
      assert.deepEqual([snapshot?.event, snapshot?.data.id, snapshot?.data.progress], ['crawl.snapshot', id, 0]);
      await steps(id, ['pause', 'resume', 'cancel']);
      await untilClosed(client);
      assert.equal(client.heard.at(-1)?.event, 'end');
      assert.deepEqual(received(client.heard), await written(id, Number(snapshot!.id)));
      assert.ok(received(client.heard).length >= 4);
    });

  it('Last-Event-ID: every event after that one and nothing else; at the end, only the end', async () => {
    const id = await start();
    await steps(id, ['pause', 'resume', 'cancel', 'restart', 'cancel']);
    const all = await written(id);
    for (const after of [0, 1, 3, all.length]) {
      const client = await openStream(origin, `/crawl/${id}/stream`, api.keys.read, after);
      await untilClosed(client);
      const { heard } = client;
      assert.deepEqual(received(heard), all.slice(after));
      assert.deepEqual([heard.length, heard.at(-1)?.event], [all.length - after + 1, 'end']);
    }
    const bad = await api.call('GET', `/crawl/${id}/stream`, undefined, { 'last-event-id': 'x' });
    assert.equal(bad.body.code, 'VALIDATION_FAILED');
  });

  it('where retention has left a gap, it starts with the crawl as it is', async () => {
    const id = await start();
    await steps(id, ['cancel']);
    await readLog(api.app.database);
    await api.app.database.query('DELETE FROM events WHERE crawl_id = $1 AND seq < 4', [id]);
    for (const after of [1, 999]) {
      const client = await openStream(origin, `/crawl/${id}/stream`, api.keys.read, after);
      await untilClosed(client);
      const { heard } = client;
      assert.deepEqual(
        heard.map(({ event }) => event),
        ['crawl.snapshot', 'end'],
      );
    }
  });

  it('everything: what is written from now on, or since a position, of some kinds', async () => {
    const log = await readLog(api.app.database);
    const { position } = log.findLast(({ kind }) => kind !== 'admin.action')!;
    const live = await openStream(origin, '/events/stream?kinds=domain.blocked', api.keys.read);
    const socket = await openSocket(origin, '/ws/events?kinds=domain.blocked', api.keys.read);
    await block(3, 'x');
    await wakeReaders(api.app.pubsub);
    const late = await openStream(origin, '/events/stream', api.keys.read, position);
    for (const client of [live, socket, late]) {
      const heard = await client.until(({ length }) => length >= 3);
      assert.deepEqual(
        heard.map(({ event, data }) => [event, data.data.domain]),
        ['d0', 'd1', 'd2'].map((domain) => ['domain.blocked', domain]),
      );
      client.cut();
      await client.closed;
    }
  });

  for (const [name, path, headers, status] of [
    ['without a key', `/ws/crawl/${NOBODY}`, () => ({}), 401],
    ['for an unknown crawl', `/ws/crawl/${NOBODY}`, () => ({ authorization: `Bearer ${api.keys.read}` }), 404],
    ['with a bad id', '/ws/crawl/x', () => ({ authorization: `Bearer ${api.keys.read}` }), 400],
    ['elsewhere', '/ws/elsewhere', () => ({ authorization: `Bearer ${api.keys.read}` }), 404],
  ] as const)
    it(`refuses a WebSocket ${name}`, async () => {
      assert.equal(await refusedSocket(origin, path, headers()), status);
    });

  it('a WebSocket counts against the limit of its key, and is in the document', async () => {
    const { key } = await createApiKey(api.app, { name: 'slow', scopes: ['read'], rate_limit_rpm: 1 });
    (await openSocket(origin, '/ws/events', key)).cut();
    assert.equal(await refusedSocket(origin, '/ws/events', { authorization: `Bearer ${key}` }), 429);
    assert.equal((await api.call('GET', '/ws/events')).body.code, 'UPGRADE_REQUIRED');
    const document = (await api.call('GET', '/openapi.json')).body;
    assert.ok('101' in document.paths['/api/v1/ws/crawl/{id}'].get.responses);
  });

  for (const [name, open] of [
    ['a stream', openStream],
    [
      'a socket',
      (at: string, path: string, key: string) => openSocket(at, path.replace('/events/stream', '/ws/events'), key),
    ],
  ] as const)
    it(`a key that is revoked ends ${name} at the next heartbeat`, async () => {
      const { id, key } = await createApiKey(api.app, { name: 'short', scopes: ['read'], rate_limit_rpm: 100 });
      const client = await open(origin, '/events/stream', key);
      const other = await open(origin, '/events/stream', api.keys.read);
      await revokeApiKey(api.app, id);
      assert.equal(await untilClosed(client), name === 'a stream' ? undefined : 1008);
      if (name === 'a stream') assert.deepEqual(client.heard.at(-1)?.data, { code: 'AUTH_REQUIRED' });
      await block(1, 'still here');
      await wakeReaders(api.app.pubsub);
      await other.until((heard) => heard.length > 0);
      other.cut();
      await other.closed;
    });

  for (const [name, opening] of [
    ['a stream', 'GET /api/v1/events/stream HTTP/1.1\r\n'],
    [
      'a socket',
      'GET /api/v1/ws/events HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    ],
  ] as const)
    it(`${name} that is not read is dropped at its limit; one that is read hears everything`, async () => {
      const { hostname, port } = new URL(origin);
      const stuck = connect(Number(port), hostname);
      stuck.on('error', () => {});
      const ended = new Promise((resolve) => stuck.on('close', resolve));
      stuck.write(`${opening}Host: 127.0.0.1\r\nAuthorization: Bearer ${api.keys.read}\r\n\r\n`);
      await new Promise((resolve) => stuck.once('data', resolve));
      stuck.pause();
      const reader = await openStream(origin, '/events/stream', api.keys.read);
      const drops = () => api.logged.filter(({ event }) => event === 'listener_dropped');
      const before = drops().length;
      const reason = 'r'.repeat(20_000);
      let blocks = 0;
      try {
        // Far more than the client may leave unread, and what the system keeps for it.
        while (drops().length === before && blocks < 10_000) {
          await block(200, reason);
          await wakeReaders(api.app.pubsub);
          blocks += 200;
          await reader.until(({ length }) => length >= blocks);
        }
        assert.equal(drops().length, before + 1);
        const { bytes } = drops().at(-1)!.fields as { bytes: number };
        const { maxBufferBytes } = settings.live;
        assert.ok(bytes > maxBufferBytes && bytes < maxBufferBytes + 2 * reason.length, `${bytes} were kept`);
        stuck.resume();
        await ended;
      } finally {
        stuck.destroy();
        reader.cut();
      }
      await reader.closed;
    });

  it('closing the server ends streams at once', async () => {
    await using other = await createTestApi({ guard: api.app.guard });
    const { origin: there } = await listen(other.server, { host: '127.0.0.1', port: 0 });
    const { id } = (await other.call('POST', '/crawl', { urls: ['https://example.com/open'] })).body;
    const stream = await openStream(there, `/crawl/${id}/stream`, other.keys.read);
    const socket = await openSocket(there, `/ws/crawl/${id}`, other.keys.read);
    await Promise.all([stream, socket].map((client) => client.until((heard) => heard.length === 1)));
    await other.server.close();
    assert.equal(await untilClosed(socket), 1001);
    await untilClosed(stream);
    assert.deepEqual(
      [...stream.heard, ...socket.heard].map(({ event }) => event),
      ['crawl.snapshot', 'crawl.snapshot'],
    );
  });
});
