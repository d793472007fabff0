import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { loadSettings } from '../../../src/config/load.ts';
import { route } from '../../../src/surfaces/http/route.ts';
import { createServer, type ServerOptions } from '../../../src/surfaces/http/server.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { openRaw, type RawClient, readAnswer } from '../../support/raw-client.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
});
after(() => api[Symbol.asyncDispose]());

interface Listening extends AsyncDisposable {
  server: FastifyInstance;
  port: number;
}

/** A server that listens, with these settings. */
async function listening(env: Record<string, string>, options: ServerOptions = {}): Promise<Listening> {
  const { settings } = loadSettings({ APP_ENV: 'test', ...env });
  const server = createServer({ ...api.app, settings }, options);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return { server, port, [Symbol.asyncDispose]: () => server.close() };
}

const GET = 'GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\n\r\n';

/** Sends a piece every few milliseconds until the connection is closed. */
async function trickle({ socket, closed }: RawClient, piece: string): Promise<void> {
  const timer = setInterval(() => socket.writable && socket.write(piece), 20);
  try {
    await closed;
  } finally {
    clearInterval(timer);
  }
}

async function asksWell(port: number): Promise<void> {
  const client = await openRaw(port);
  client.socket.write(GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
  await client.closed;
  assert.equal(readAnswer(client.received()).status, 200, client.received());
}

it('cuts a head that never ends off, with a code', async () => {
  await using place = await listening({ HTTP__HEADERS_TIMEOUT_MS: '200' });
  const slow = await openRaw(place.port);
  slow.socket.write('GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\n');
  await trickle(slow, 'x-more: 1\r\n');
  const { status, code, head } = readAnswer(slow.received());
  assert.deepEqual([status, code], [408, 'REQUEST_TIMEOUT']);
  assert.match(head, /x-content-type-options: nosniff/);
  await asksWell(place.port);
});

it('cuts a body that trickles off, with a code, and logs no fault of its own', async () => {
  await using place = await listening({ HTTP__REQUEST_TIMEOUT_MS: '300' });
  const slow = await openRaw(place.port);
  slow.socket.write(
    `POST /api/v1/tags HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${api.keys.admin}\r\n` +
      'content-type: application/json\r\ncontent-length: 1000000\r\n\r\n{"name":"',
  );
  await trickle(slow, 'x');
  const { status, code } = readAnswer(slow.received());
  assert.deepEqual([status, code], [408, 'REQUEST_TIMEOUT']);
  await asksWell(place.port);
  assert.deepEqual(
    api.logged.filter(({ level }) => level === 'error'),
    [],
  );
});

it('closes a connection that asks for nothing, also after an answer', async () => {
  await using place = await listening({ HTTP__HEADERS_TIMEOUT_MS: '200', HTTP__KEEP_ALIVE_TIMEOUT_MS: '100' });
  const [silent, idle] = [await openRaw(place.port), await openRaw(place.port)];
  idle.socket.write(GET);
  await Promise.all([silent.closed, idle.closed]);
  assert.equal(readAnswer(idle.received()).status, 200);
});

it('refuses a megabyte of headers, and more fields than it takes', async () => {
  await using place = await listening({ HTTP__MAX_HEADERS: '20' });
  const large = await openRaw(place.port);
  large.socket.write(`GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\nx-large: ${'x'.repeat(1_000_000)}\r\n\r\n`);
  await large.closed;
  // The rest of it may reset the connection before the answer is read.
  if (large.received() !== '')
    assert.deepEqual(
      [readAnswer(large.received()).status, readAnswer(large.received()).code],
      [431, 'REQUEST_HEAD_TOO_LARGE'],
    );
  const ask = async (fields: number) => {
    const client = await openRaw(place.port);
    const more = Array.from({ length: fields }, (_, at) => `x-${at}: 1\r\n`).join('');
    client.socket.write(`GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${more}\r\n`);
    await client.closed;
    return readAnswer(client.received());
  };
  assert.equal((await ask(18)).status, 200);
  for (const fields of [19, 500]) {
    const { status, code } = await ask(fields);
    assert.deepEqual([status, code], [431, 'REQUEST_HEAD_TOO_LARGE'], `${fields} fields`);
  }
  const head = await openRaw(place.port);
  head.socket.write(`GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\nx-large: ${'x'.repeat(17_000)}\r\n\r\n`);
  await head.closed;
  assert.deepEqual(
    [readAnswer(head.received()).status, readAnswer(head.received()).code],
    [431, 'REQUEST_HEAD_TOO_LARGE'],
  );
});

it('answers what is no HTTP with a code', async () => {
  await using place = await listening({});
  for (const text of [
    'SSH-2.0-OpenSSH_9.6\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n',
    '\0\x01\x02\r\n\r\n',
  ]) {
    const client = await openRaw(place.port);
    client.socket.write(text);
    await client.closed;
    assert.deepEqual(
      [readAnswer(client.received()).status, readAnswer(client.received()).code],
      [400, 'REQUEST_INVALID'],
    );
  }
});

it('takes so many connections of one address and no more; another address is served', async () => {
  await using place = await listening({ HTTP__MAX_CONNECTIONS_PER_IP: '3' });
  const held = await Promise.all(Array.from({ length: 3 }, () => openRaw(place.port)));
  const refused = await openRaw(place.port);
  await refused.closed;
  assert.deepEqual(
    [readAnswer(refused.received()).status, readAnswer(refused.received()).code],
    [503, 'TOO_MANY_CONNECTIONS'],
  );
  const other = await openRaw(place.port, '127.0.0.2');
  other.socket.end(GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
  await other.closed;
  assert.equal(readAnswer(other.received()).status, 200);
  for (const { socket } of held) socket.destroy();
  // The server hears of it a moment later.
  for (let tries = 0; ; tries++) {
    const again = await openRaw(place.port);
    again.socket.write(GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
    await again.closed;
    if (readAnswer(again.received()).status === 200) break;
    assert.ok(tries < 100, 'places that are free again are never given away');
    await sleep(20);
  }
  assert.equal(api.logged.filter(({ event }) => event === 'connections_of_address_full').length, 1);
});

it('takes so many connections in all and no more', async () => {
  await using place = await listening({ HTTP__MAX_CONNECTIONS: '2', HTTP__MAX_CONNECTIONS_PER_IP: '0' });
  const held = await Promise.all([openRaw(place.port), openRaw(place.port)]);
  const refused = await openRaw(place.port);
  await refused.closed;
  assert.equal(refused.received(), '');
  held[0]!.socket.write(GET);
  await once(held[0]!.socket, 'data');
  assert.equal(readAnswer(held[0]!.received()).status, 200, 'those that are there are served');
  for (const { socket } of held) socket.destroy();
});

it('takes so many requests on a connection: the last answer says so, a further one is refused', async () => {
  await using place = await listening({ HTTP__MAX_REQUESTS_PER_CONNECTION: '3' });
  const client = await openRaw(place.port);
  for (let count = 1; count <= 4; count++) {
    const answered = once(client.socket, 'data');
    client.socket.write(GET);
    await answered;
  }
  const answers = client.received().split(/(?=HTTP\/1\.1 )/);
  assert.deepEqual(
    answers.map((answer) => [readAnswer(answer).status, /connection: close/i.test(answer)]),
    [
      [200, false],
      [200, false],
      [200, true],
      [503, true],
    ],
  );
  client.socket.destroy();
});

it('gives up on an answer that is not read', async () => {
  await using place = await listening({ HTTP__UNREAD_TIMEOUT_MS: '300' });
  const dropped = new Promise<void>((resolve) => {
    place.server.server.on('connection', (socket) => socket.once('close', () => resolve()));
  });
  const unread = await openRaw(place.port);
  unread.socket.pause();
  // More than the buffers of both systems hold.
  const ask = 'GET /api/v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n';
  unread.socket.write(ask.repeat(60));
  await Promise.race([dropped, sleep(10_000).then(() => assert.fail('it is held for ever'))]);
  unread.socket.destroy();
  await asksWell(place.port);
});

it('keeps a connection whose answer is still being made', async () => {
  const slow = route({
    method: 'GET',
    path: '/slow',
    id: 'slow',
    summary: 'Takes its time',
    tag: 'admin',
    access: 'public',
    bound: 'open',
    limit: 'none',
    handler: () => sleep(500),
  });
  await using place = await listening({ HTTP__UNREAD_TIMEOUT_MS: '100' }, { routes: [slow] });
  const client = await openRaw(place.port);
  client.socket.write('GET /api/v1/slow HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
  await client.closed;
  assert.equal(readAnswer(client.received()).status, 204);
});

it('cuts a client off that sends request after request without waiting for answers', async () => {
  const served: string[] = [];
  const slow = route({
    method: 'GET',
    path: '/slow',
    id: 'slow',
    summary: 'Takes its time',
    tag: 'admin',
    access: 'public',
    bound: 'open',
    limit: 'none',
    handler: async ({ request }) => {
      served.push(request.id);
      await sleep(50);
    },
  });
  await using place = await listening({}, { routes: [slow] });
  const ask = 'GET /api/v1/slow HTTP/1.1\r\nhost: localhost\r\n\r\n';
  const few = await openRaw(place.port);
  few.socket.write(ask.repeat(10) + ask.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
  await few.closed;
  assert.equal(few.received().match(/HTTP\/1\.1 204 /g)?.length, 11, 'some are fine');
  const many = await openRaw(place.port);
  many.socket.write(ask.repeat(500));
  await many.closed;
  assert.doesNotMatch(many.received(), /HTTP/);
});
