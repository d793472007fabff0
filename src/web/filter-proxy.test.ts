import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { startWebServer } from '../../test/support/web-server.ts';
import { createFilterProxy, type ProxySession } from './filter-proxy.ts';
import { createGuard } from './guard.ts';

/** A proxy that may reach one port of loopback, and notes each connection it makes. */
async function startProxy(allowedPort: number) {
  const dialed: string[] = [];
  const proxy = await createFilterProxy({
    guard: createGuard([`127.0.0.1:${allowedPort}`]),
    async connect(host, port, upstream) {
      dialed.push(`${host}:${port}${upstream === undefined ? '' : ` by ${upstream}`}`);
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
  });
  return { proxy, dialed };
}

const pass = ({ username, password }: { username: string; password: string }) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

async function get(proxyUrl: string, url: string, authorization?: string) {
  const sent = request({
    host: '127.0.0.1',
    port: new URL(proxyUrl).port,
    path: url,
    headers: authorization === undefined ? {} : { 'proxy-authorization': authorization },
  }).end();
  const [response] = await once(sent, 'response');
  let body = '';
  try {
    for await (const chunk of response) body += chunk;
  } catch {
    body = 'cut';
  }
  return { status: response.statusCode as number, body, headers: response.headers as Record<string, string> };
}

async function tunnel(proxyUrl: string, target: string, authorization: string) {
  const socket = connect(Number(new URL(proxyUrl).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: ${authorization}\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  return { socket: socket as Socket, status: Number(String(answer).split(' ')[1]) };
}

const site = () =>
  startWebServer((asked, response) => {
    response.writeHead(200, { 'x-seen': Object.keys(asked.headers).join(' ') });
    response.end(asked.url === '/big' ? 'x'.repeat(500_000) : `hello ${asked.url}`);
  });

describe('filter proxy', () => {
  test('forwards what the guard allows, without the fields that are the proxy\u2019s own', async () => {
    await using server = await site();
    const { proxy } = await startProxy(server.port);
    await using _ = proxy;
    using session = proxy.openSession({ maxBytes: 1e6 });
    const answer = await get(proxy.url, `${server.origin}/a?b=1`, pass(session));
    assert.equal(answer.status, 200);
    assert.equal(answer.body, 'hello /a?b=1');
    assert.doesNotMatch(answer.headers['x-seen']!, /proxy/);
    assert.equal(session.addressOf(server.origin), '127.0.0.1');
  });

  test('nobody gets through without a session', async () => {
    await using server = await site();
    const { proxy, dialed } = await startProxy(server.port);
    await using _ = proxy;
    const session = proxy.openSession({ maxBytes: 1e6 });
    const wrong = [
      undefined,
      'Basic',
      'Bearer x',
      pass({ username: session.username, password: 'x' }),
      pass({ username: '', password: '' }),
    ];
    for (const authorization of wrong)
      assert.equal((await get(proxy.url, `${server.origin}/`, authorization)).status, 407);
    session[Symbol.dispose]();
    assert.equal((await get(proxy.url, `${server.origin}/`, pass(session))).status, 407);
    assert.equal((await tunnel(proxy.url, `127.0.0.1:${server.port}`, pass(session))).status, 407);
    assert.deepEqual(dialed, []);
  });

  test('targets the guard refuses are never dialled', async () => {
    await using server = await site();
    const { proxy, dialed } = await startProxy(server.port);
    await using _ = proxy;
    using session = proxy.openSession({ maxBytes: 1e6 });
    const other = server.port === 9999 ? 9998 : 9999;
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '0.0.0.0',
      '2130706433',
      '0x7f000001',
      '10.0.0.1',
      '169.254.169.254',
      '[::ffff:7f00:1]',
    ]) {
      assert.equal((await get(proxy.url, `http://${host}:${other}/`, pass(session))).status, 403, host);
      const { socket, status } = await tunnel(proxy.url, `${host}:${other}`, pass(session));
      socket.destroy();
      assert.equal(status, 403, host);
    }
    for (const odd of [
      'ftp://example.com/',
      'https://example.com/',
      'file:///etc/passwd',
      '/path',
      `http://user:pass@127.0.0.1:${server.port}/`,
    ])
      assert.equal((await get(proxy.url, odd, pass(session))).status, 403, odd);
    assert.deepEqual(dialed, []);
    assert.equal(session.failureOf(`http://127.0.0.1:${other}/x`)?.code, 'URL_BLOCKED');
  });

  test('tunnels, and closes them with their session', async () => {
    await using server = await site();
    const { proxy, dialed } = await startProxy(server.port);
    await using _ = proxy;
    const session = proxy.openSession({ maxBytes: 1e6, upstream: 'http://up.example:1' });
    const { socket, status } = await tunnel(proxy.url, `127.0.0.1:${server.port}`, pass(session));
    assert.equal(status, 200);
    assert.deepEqual(dialed, [`127.0.0.1:${server.port} by http://up.example:1`]);
    socket.write('GET /inside HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1.1 200 OK/);
    session[Symbol.dispose]();
    await once(socket, 'close');
  });

  test('a session takes in no more than it may', async () => {
    await using server = await site();
    const { proxy } = await startProxy(server.port);
    await using _ = proxy;
    using plain = proxy.openSession({ maxBytes: 100_000 });
    assert.equal((await get(proxy.url, `${server.origin}/big`, pass(plain))).body, 'cut');
    assert.ok(plain.exceeded);
    using session: ProxySession = proxy.openSession({ maxBytes: 100_000 });
    const { socket } = await tunnel(proxy.url, `127.0.0.1:${server.port}`, pass(session));
    let got = 0;
    socket.on('data', (data: Buffer) => {
      got += data.length;
    });
    socket.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'close');
    assert.ok(got <= 100_000);
    assert.ok(session.exceeded);
  });

  test('a site that hangs up is 502 and says so', async () => {
    await using server = await startWebServer((asked) => asked.socket.destroy());
    const { proxy } = await startProxy(server.port);
    await using _ = proxy;
    using session = proxy.openSession({ maxBytes: 1e6 });
    assert.equal((await get(proxy.url, `${server.origin}/`, pass(session))).status, 502);
    assert.equal(session.failureOf(server.origin)?.code, 'CONNECTION_RESET');
  });
});
