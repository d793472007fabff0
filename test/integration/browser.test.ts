import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Settings } from '../../src/config/settings.ts';
import { createChromiumFetcher } from '../../src/drivers/fetcher/chromium.ts';
import { AppError, type ErrorCode } from '../../src/errors.ts';
import type { Browser } from '../../src/ports/browser.ts';
import { createGuard } from '../../src/web/guard.ts';
import { createTestBrowser, noBrowser } from '../support/browser.ts';
import { createProxyServer } from '../support/proxy-server.ts';
import { startWebServer, type WebServer } from '../support/web-server.ts';

const page = (body: string) =>
  `<!doctype html><html><head><meta charset="utf-8"><title>T</title></head><body>${body}</body></html>`;

const PAGES: Record<string, string> = {
  '/written': page('<p id="a">before</p><script>a.textContent = "written by a script \u00e9"</script>'),
  '/later': page(
    '<script>fetch("/data.json").then(r => r.json()).then(d => document.body.append("got " + d.value))</script>',
  ),
  '/images': page('<img src="/a.png"><video src="/b.mp4"></video><p>text</p>'),
  '/leads-on': page('<script>location.href = "/written"</script>'),
  '/refreshes': page('<meta http-equiv="refresh" content="0;url=/written">'),
  '/leads-home': page('<script>location.href = "http://127.0.0.1:1/secret"</script>'),
  '/posts': page('<form method="post" action="/written"></form><script>document.forms[0].submit()</script>'),
  '/hangs': page('<script>for (;;) {}</script>'),
  '/asks': page(
    '<script>document.body.append(String(confirm("sure?"))); alert(1); open("/popup"); location.href = "/file.zip"</script>',
  ),
  '/grows': page('<script>document.body.append("x".repeat(3e6))</script>'),
  '/bomb-inside': page('<p>stands</p><script src="/bomb.js"></script>'),
  '/framed': page('<p>stands</p><iframe src="/written"></iframe>'),
  '/tall': page('<div style="height:50000px;background:red">tall</div>'),
  '/tampers': page(
    '<p>honest</p><script>Object.defineProperty(Element.prototype, "outerHTML", { get: () => "forged" }); String.prototype.toString = () => "forged"</script>',
  ),
};

const sendZipped = (response: ServerResponse, type: string, body: string) =>
  response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(gzipSync(body));

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
  const html = PAGES[pathname];
  if (html !== undefined) response.writeHead(200, { 'content-type': 'text/html', 'x-extra': 'kept' }).end(html);
  else if (pathname === '/to') response.writeHead(302, { location: searchParams.get('url') ?? '/' }).end();
  else if (pathname === '/data.json')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"value": 7}');
  else if (pathname === '/zipped') sendZipped(response, 'text/html', PAGES['/written']!);
  else if (pathname === '/bomb') sendZipped(response, 'text/html', page('x'.repeat(30_000_000)));
  else if (pathname === '/bomb.js')
    sendZipped(response, 'text/javascript', `document.title = "ran"${' '.repeat(30_000_000)}`);
  else if (pathname === '/gone') response.writeHead(410, { 'content-type': 'text/html' }).end(page('gone'));
  else if (pathname === '/headers')
    response.writeHead(200, { 'content-type': 'text/html' }).end(page(`token ${request.headers['x-token']}`));
  else if (pathname === '/huge')
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': 1e9 }).write('<p>');
  else if (pathname === '/endless') {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', more);
    more();
  } else response.writeHead(404, { 'content-type': 'text/html' }).end(page('not found'));
}

describe('Chromium', { skip: noBrowser }, () => {
  let site: WebServer;
  let other: WebServer;
  let browser: Browser;
  before(async () => {
    site = await startWebServer(answer);
    other = await startWebServer(answer);
    browser = createTestBrowser([`127.0.0.1:${site.port}`, `127.0.0.1:${other.port}`], {
      'inside.example': ['10.0.0.1'],
    });
  });
  after(async () => {
    await browser[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const fetch = (path: string, options = {}) => browser.fetch({ url: site.origin + path, ...options });
  const text = async (path: string, options = {}) => Buffer.from((await fetch(path, options)).body).toString();
  const fails = (work: Promise<unknown>, code: ErrorCode) =>
    assert.rejects(work, (error) => {
      assert.ok(error instanceof AppError, String(error));
      assert.equal(error.code, code, error.message);
      return true;
    });

  test('gives the page as its scripts made it, as UTF-8', async () => {
    const { status, url, headers, body, remoteAddress } = await fetch('/written');
    assert.equal(status, 200);
    assert.equal(url, `${site.origin}/written`);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['x-extra'], 'kept');
    assert.equal(remoteAddress, '127.0.0.1');
    assert.match(Buffer.from(body).toString(), /^<!DOCTYPE html><html>.*written by a script \u00e9/s);
    assert.match(await text('/later'), /got 7/);
  });

  test('any status is a response', async () => {
    assert.equal((await fetch('/gone')).status, 410);
    assert.equal((await fetch('/missing')).status, 404);
  });

  test('images and films are left out, unless they are wanted', async () => {
    site.asked.length = 0;
    await fetch('/images');
    assert.deepEqual(site.asked, ['/images']);
    await browser.open({ url: `${site.origin}/images`, load: 'all' }, async () => {});
    assert.ok(site.asked.includes('/a.png'));
  });

  test('redirects are followed by hand', async () => {
    const hops: string[][] = [];
    const onRedirect = async (from: string, to: string) => {
      hops.push([from, to]);
      return {};
    };
    const first = `${site.origin}/to?url=/to%3Furl%3D/written`;
    const { url, redirects } = await browser.fetch({ url: first, onRedirect });
    assert.equal(url, `${site.origin}/written`);
    assert.deepEqual(redirects, [
      { url: first, status: 302 },
      { url: `${site.origin}/to?url=/written`, status: 302 },
    ]);
    assert.deepEqual(hops, [
      [first, `${site.origin}/to?url=/written`],
      [`${site.origin}/to?url=/written`, `${site.origin}/written`],
    ]);
    await fails(fetch('/to?url=/written', { maxRedirects: 0 }), 'TOO_MANY_REDIRECTS');
  });

  test('a refused hop is not sent', async () => {
    const onRedirect = async () => {
      throw new AppError('ROBOTS_DISALLOWED', 'no');
    };
    other.asked.length = 0;
    await fails(fetch(`/to?url=${other.origin}/written`, { onRedirect }), 'ROBOTS_DISALLOWED');
    assert.deepEqual(other.asked, []);
    await fails(fetch('/to?url=http://127.0.0.1:1/'), 'URL_BLOCKED');
    await fails(fetch('/to?url=http://inside.example/'), 'URL_BLOCKED');
    await fails(fetch('/to?url=http://nowhere.example/'), 'DNS_FAILED');
    await fails(fetch('/to?url=https://inside.example/'), 'URL_BLOCKED');
  });

  test('scripts and refreshes that lead on are hops too', async () => {
    for (const path of ['/leads-on', '/refreshes']) {
      const { url, redirects } = await fetch(path);
      assert.equal(url, `${site.origin}/written`);
      assert.deepEqual(redirects, [{ url: site.origin + path, status: 200 }]);
    }
    await fails(fetch('/leads-home'), 'URL_BLOCKED');
    await fails(fetch('/posts'), 'REDIRECT_INVALID');
  });

  test('the caller\u2019s headers stay with their origin', async () => {
    const headers = { 'X-Token': 'secret' };
    assert.match(await text('/headers', { headers }), /token secret/);
    assert.match(await text('/to?url=/headers', { headers }), /token secret/);
    assert.match(await text(`/to?url=${other.origin}/headers`, { headers }), /token undefined/);
  });

  test('what is not a page comes as it was sent', async () => {
    const { headers, body } = await fetch('/data.json');
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(Buffer.from(body).toString(), '{"value": 7}');
    await fails(
      browser.open({ url: `${site.origin}/data.json` }, async () => {}),
      'CONTENT_TYPE_UNSUPPORTED',
    );
  });

  test('sizes are bounded, told or not', async () => {
    await fails(fetch('/huge'), 'TOO_LARGE');
    await fails(fetch('/endless', { maxBytes: 1_000_000 }), 'TOO_LARGE');
    await fails(fetch('/grows', { maxBytes: 1_000_000 }), 'TOO_LARGE');
  });

  test('what comes compressed unfolds within the limit', async () => {
    const { headers, body } = await fetch('/zipped');
    assert.equal(headers['content-encoding'], undefined);
    assert.match(Buffer.from(body).toString(), /written by a script \u00e9/);
    await fails(fetch('/bomb'), 'DECOMPRESSION_BOMB');
    const around = await text('/bomb-inside');
    assert.match(around, /<title>T<\/title>.*stands/s);
  });

  test('frames are not loaded for a text that leaves them out', async () => {
    site.asked.length = 0;
    assert.match(await text('/framed'), /stands/);
    assert.deepEqual(site.asked, ['/framed']);
  });

  test('a page that hangs costs its own time; the next one works', async () => {
    await fails(fetch('/hangs', { timeoutMs: 1_500 }), 'TIMEOUT');
    assert.match(await text('/written'), /written by a script/);
  });

  test('questions are answered with no, windows and files do not open', async () => {
    const result = await fetch('/asks').then(
      ({ body }) => Buffer.from(body).toString(),
      (error: AppError) => error.code,
    );
    assert.match(result, /not found|false/);
  });

  test('pages cannot forge what is read', async () => {
    assert.match(await text('/tampers'), /<p>honest<\/p>/);
  });

  test('calling off ends it at once', async () => {
    await fails(fetch('/written', { signal: AbortSignal.abort() }), 'CANCELLED');
    const control = new AbortController();
    const running = fetch('/hangs', { signal: control.signal, timeoutMs: 20_000 });
    setTimeout(() => control.abort(), 500);
    await fails(running, 'CANCELLED');
  });

  test('a proxy of the request\u2019s own is used behind ours, if the guard allows it', async () => {
    for (const kind of ['http', 'socks5'] as const) {
      await using proxy = await createProxyServer({ kind, credentials: 'ann:secret' });
      const way = `${kind}://ann:secret@${proxy.authority}`;
      await fails(fetch('/written', { proxy: way }), 'URL_BLOCKED');
      assert.equal(proxy.targets.length, 0);
      await using allowed = createTestBrowser([`127.0.0.1:${site.port}`, proxy.authority]);
      const { status } = await allowed.fetch({ url: `${site.origin}/written`, proxy: way });
      assert.equal(status, 200);
      assert.ok(proxy.targets.includes(`127.0.0.1:${site.port}`));
    }
  });

  test('more pages than places wait their turn', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => fetch('/written')));
    assert.ok(all.every(({ status }) => status === 200));
  });

  test('only GET, only what the guard allows', async () => {
    await fails(fetch('/written', { method: 'POST' }), 'VALIDATION_FAILED');
    for (const url of [
      'file:///etc/passwd',
      'view-source:http://example.com/',
      'chrome://version',
      'http://localhost:1/',
      'data:text/html,x',
    ])
      await fails(browser.fetch({ url }), 'URL_BLOCKED');
  });

  test('pictures, prints and scripts', async () => {
    const result = await browser.open(
      { url: `${site.origin}/tall`, load: 'all', waitFor: 'div', waitMs: 10 },
      async (opened) => ({
        title: await opened.title(),
        small: await opened.screenshot({ fullPage: false }),
        whole: await opened.screenshot({ fullPage: true }),
        print: await opened.pdf({ format: 'A4', landscape: false }),
        sum: await opened.evaluate('1 + 1'),
      }),
    );
    const height = (png: Uint8Array) => Buffer.from(png).readUInt32BE(20);
    assert.equal(result.title, 'T');
    assert.equal(height(result.small), 800);
    assert.equal(height(result.whole), 16_000);
    assert.equal(Buffer.from(result.print.subarray(0, 5)).toString(), '%PDF-');
    assert.equal(result.sum, 2);
    await fails(
      browser.open({ url: `${site.origin}/written`, waitFor: '#never', timeoutMs: 2_000 }, async () => {}),
      'TIMEOUT',
    );
  });

  test('a browser that died is started again', async () => {
    const dying = browser.open({ url: `${site.origin}/written` }, (opened) => opened.evaluate('new Promise(() => {})'));
    const killer = browser.open({ url: `${site.origin}/written` }, async () => {
      const { execFileSync } = await import('node:child_process');
      const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)])
        .toString()
        .split('\n');
      for (const line of children)
        if (line.includes('remote-debugging-pipe')) process.kill(Number.parseInt(line, 10), 'SIGKILL');
      await new Promise(() => {});
    });
    await Promise.all([fails(dying, 'RENDER_FAILED'), fails(killer, 'RENDER_FAILED')]);
    assert.match(await text('/written'), /written by a script/);
  });
});

test('without a browser it says how to get one', async () => {
  await using browser = createChromiumFetcher({
    guard: createGuard([]),
    settings: Settings.parse({ browser: { path: '/nowhere/chromium' } }),
  });
  await assert.rejects(browser.fetch({ url: 'https://example.com/' }), (error) => {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, 'BROWSER_MISSING');
    assert.match(error.hint ?? '', /Run: \S+ .*chrom/i);
    return true;
  });
});
