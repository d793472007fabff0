import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { createTestBrowser, noBrowser } from '../support/browser.ts';
import { startWebServer } from '../support/web-server.ts';

/** Listens on one port of every loopback family, TCP and UDP, and records every connection. */
async function startCanary() {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    // Even a connection that says nothing is one too many.
    const index = seen.push('a silent connection') - 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (data) => {
      seen[index] = data.toString('latin1').split('\r\n', 1)[0]!;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi');
    });
  });
  tcp.listen(0, '::');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4');
  udp.on('message', () => seen.push('datagram'));
  udp.bind(port, '0.0.0.0');
  await once(udp, 'listening');
  return {
    port,
    seen,
    async [Symbol.asyncDispose]() {
      udp.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

/** Runs in the page: tries every way a page can make a browser connect, then says so. */
const attack = (targets: string[], port: number) => `<!doctype html><title>attack</title>
<link rel="preconnect" href="http://127.0.0.1:${port}"><link rel="dns-prefetch" href="http://localhost:${port}">
<link rel="prefetch" href="http://127.0.0.1:${port}/prefetch"><link rel="preload" as="script" href="http://127.0.0.1:${port}/preload">
<link rel="modulepreload" href="http://127.0.0.1:${port}/module"><link rel="icon" href="http://127.0.0.1:${port}/icon">
<link rel="stylesheet" href="http://127.0.0.1:${port}/style"><link rel="manifest" href="http://127.0.0.1:${port}/manifest">
<script type="speculationrules">{"prefetch":[{"source":"list","urls":["http://127.0.0.1:${port}/speculate"]}]}</script>
<a id="pinger" href="#x" ping="http://127.0.0.1:${port}/ping">x</a>
<form id="form" method="post" target="frame" action="http://127.0.0.1:${port}/form"><input name="a" value="b"></form>
<iframe name="frame"></iframe><iframe src="file:///etc/passwd"></iframe><iframe src="view-source:http://127.0.0.1:${port}/"></iframe>
<object data="http://127.0.0.1:${port}/object"></object><embed src="http://127.0.0.1:${port}/embed">
<video src="http://127.0.0.1:${port}/video" poster="http://127.0.0.1:${port}/poster" autoplay></video>
<body background="http://127.0.0.1:${port}/background" style="background:url(http://127.0.0.1:${port}/css-image)">
<script>
const tried = [];
const attempt = (name, work) => { try { tried.push(name); const made = work(); made?.catch?.(() => {}); return made; } catch { return undefined; } };
const element = (name, attributes) => attempt(name, () => document.body.append(Object.assign(document.createElement(name), attributes)));
const waits = [];
for (const base of ${JSON.stringify(targets)}) {
  element('img', { src: base + '/img' });
  element('script', { src: base + '/script' });
  element('link', { rel: 'stylesheet', href: base + '/css' });
  element('iframe', { src: base + '/iframe' });
  element('img', { src: '/to?url=' + encodeURIComponent(base + '/redirected-img') });
  element('iframe', { src: '/to?url=' + encodeURIComponent(base + '/redirected-iframe') });
  element('iframe', { srcdoc: '<meta http-equiv="refresh" content="0;url=' + base + '/refresh">' });
  waits.push(attempt('fetch', () => fetch(base + '/fetch', { mode: 'no-cors' })));
  waits.push(attempt('fetch-redirect', () => fetch('/to?url=' + encodeURIComponent(base + '/redirected'), { mode: 'no-cors' })));
  attempt('xhr', () => { const xhr = new XMLHttpRequest(); xhr.open('POST', base + '/xhr'); xhr.send('x'); });
  attempt('beacon', () => navigator.sendBeacon(base + '/beacon', 'x'));
  attempt('websocket', () => new WebSocket(base.replace('http', 'ws') + '/websocket'));
  attempt('eventsource', () => new EventSource(base + '/events'));
  attempt('worker', () => new Worker(URL.createObjectURL(new Blob(['fetch("' + base + '/worker",{mode:"no-cors"}).catch(()=>{});new WebSocket("' + base.replace('http', 'ws') + '/worker-ws")']))));
  attempt('import', () => import(base + '/import'));
  attempt('popup', () => window.open(base + '/popup'));
  attempt('webtransport', () => new WebTransport(base.replace('http:', 'https:') + '/wt'));
  const host = new URL(base).host;
  for (const scheme of ['stun:', 'turn:']) for (const transport of ['', '?transport=tcp', '?transport=udp']) attempt('rtc', () => {
    if (scheme === 'stun:' && transport !== '') return;
    const connection = new RTCPeerConnection({ iceServers: [{ urls: scheme + host + transport, username: 'u', credential: 'c' }] });
    connection.createDataChannel('x');
    return connection.createOffer().then((offer) => connection.setLocalDescription(offer));
  });
}
attempt('serviceworker', () => navigator.serviceWorker.register('/worker.js'));
attempt('form', () => document.getElementById('form').submit());
attempt('ping', () => document.getElementById('pinger').click());
Promise.race([Promise.allSettled(waits), new Promise((resolve) => setTimeout(resolve, 2000))])
  .then(() => new Promise((resolve) => setTimeout(resolve, 500)))
  .then(() => fetch('/done?' + [...new Set(tried)].join(',')))
  .then(() => document.body.append(Object.assign(document.createElement('p'), { id: 'done' })));
</script>`;

const startAttacker = (targets: string[], port: number) =>
  startWebServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    if (url.pathname === '/to') response.writeHead(302, { location: url.searchParams.get('url') ?? '/' }).end();
    else if (url.pathname === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(attack(targets, port));
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
  });

test('a page from an allowed origin reaches no address the guard refuses', { skip: noBrowser }, async () => {
  await using canary = await startCanary();
  const { port } = canary;
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433', '0x7f.1', '127.1', '[::ffff:127.0.0.1]'];
  const names = ['rebind.example', 'mixed.example', 'a.localhost', '10.0.0.1', '169.254.169.254'];
  const targets = [...hosts, ...names].map((host) => `http://${host}:${port}`);
  await using site = await startAttacker(targets, port);
  await using browser = createTestBrowser([`127.0.0.1:${site.port}`], {
    'rebind.example': ['127.0.0.1'],
    'mixed.example': ['192.88.99.1', '127.0.0.1'],
  });

  const { redirects } = await browser.open(
    { url: `${site.origin}/`, waitFor: '#done', load: 'all' },
    async (page) => page,
  );
  const done = site.asked.find((path) => path.startsWith('/done?')) ?? '';
  for (const way of ['img', 'script', 'fetch', 'websocket', 'eventsource', 'worker', 'rtc', 'beacon', 'form', 'popup'])
    assert.ok(done.includes(way), `the page tried ${way}`);
  assert.deepEqual(redirects, []);
  assert.deepEqual(canary.seen, []);
});

test('the canary does hear what the guard allows', { skip: noBrowser }, async () => {
  await using canary = await startCanary();
  await using site = await startAttacker([`http://127.0.0.1:${canary.port}`], canary.port);
  await using browser = createTestBrowser([`127.0.0.1:${site.port}`, `127.0.0.1:${canary.port}`]);
  await browser.open({ url: `${site.origin}/`, waitFor: '#done', load: 'all' }, async () => {});
  for (const way of [
    '/img',
    '/redirected-img',
    '/fetch',
    '/iframe',
    '/xhr',
    '/refresh',
    '/websocket',
    '/events',
    '/form',
  ])
    assert.ok(
      canary.seen.some((line) => line.includes(`${way} `)),
      `${way} arrived`,
    );
});
