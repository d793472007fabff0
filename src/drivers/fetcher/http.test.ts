import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import tls from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createHostileSite } from '../../../test/support/hostile-site.ts';
import { createProxyServer } from '../../../test/support/proxy-server.ts';
import { Settings } from '../../config/settings.ts';
import { createGuard } from '../../pipeline/fetch/guard.ts';
import type { FetchRequest, FetchResponse } from '../../ports/fetcher.ts';
import type { Resolve } from './dns.ts';
import { createHttpFetcher } from './http.ts';

const fixture = (name: string) => readFileSync(new URL(`../../../test/support/fixtures/${name}`, import.meta.url));
const certificate = { key: fixture('tls-key.pem'), cert: fixture('tls-cert.pem') };
const MAX_BYTES = 1024 * 1024;

function open(allow: string[], resolve: Resolve = async () => [], fetch: Record<string, number> = {}) {
  const settings = Settings.parse({ fetch: { maxBytes: MAX_BYTES, maxHeaderBytes: 32 * 1024, ...fetch } });
  return createHttpFetcher({ guard: createGuard(allow), settings, resolve });
}

const readEcho = ({ body }: FetchResponse) =>
  JSON.parse(Buffer.from(body).toString()) as { method: string; headers: Record<string, string>; body: string };

describe('requests', () => {
  it('name the crawler, take the caller’s fields but not those of the connection', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    const url = `${site.origin}/echo`;
    assert.match(readEcho(await fetcher.fetch({ url })).headers['user-agent']!, /^crawl4r\/\S+ \(\+https:/);
    const echo = readEcho(
      await fetcher.fetch({
        url,
        method: 'POST',
        body: 'hello',
        headers: { Accept: 'x/y', Host: 'evil.example', 'X-Own': '1', 'Transfer-Encoding': 'chunked' },
      }),
    );
    assert.equal(echo.method, 'POST');
    assert.equal(echo.body, 'hello');
    assert.equal(echo.headers.accept, 'x/y');
    assert.equal(echo.headers['x-own'], '1');
    assert.equal(echo.headers.host, `127.0.0.1:${site.port}`);
    await assert.rejects(fetcher.fetch({ url, headers: { 'X-Bad': 'a\r\nb: c' } }), { code: 'VALIDATION_FAILED' });
  });

  it('reuse connections', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    for (let i = 0; i < 5; i++) await fetcher.fetch({ url: `${site.origin}/ok?${i}` });
    assert.equal(site.connections.total, 1);
  });

  it('to many sites keep a bounded number of connections', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([`127.0.0.1:${site.port}`], async () => ['127.0.0.1']);
    const names = Array.from({ length: 600 }, (_, i) => `http://site-${i}.example:${site.port}/ok`);
    for (let i = 0; i < names.length; i += 50)
      await Promise.all(names.slice(i, i + 50).map((url) => fetcher.fetch({ url })));
    while (site.connections.open > 520) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(site.connections.total, 600);
  });

  it('share a signal without being taken for a leak', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 20 }, () => fetcher.fetch({ url: `${site.origin}/ok`, signal })));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    assert.deepEqual(warnings, []);
  });

  it('send addresses the way browsers do', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    await fetcher.fetch({ url: `${site.origin}/ok` });
    for (const path of ['/a b', '/ü', '/x\\y', '/a/../b', '/q?ü#part', '/plain?a=1'])
      await fetcher.fetch({ url: site.origin + path });
    assert.deepEqual(
      site.requests.slice(1).map(({ url }) => url),
      ['/a%20b', '/%C3%BC', '/x/y', '/b', '/q?%C3%BC', '/plain?a=1'],
    );
  });

  it('answer to HEAD without a body, and wait past early hints', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    const head = await fetcher.fetch({ url: `${site.origin}/ok`, method: 'HEAD' });
    assert.equal(head.body.length, 0);
    const hinted = await fetcher.fetch({ url: `${site.origin}/hints` });
    assert.equal(hinted.status, 200);
    assert.equal(Buffer.from(hinted.body).toString(), 'fine');
  });
});

describe('redirects', () => {
  const redirect = (origin: string, to: string, code = 302) =>
    `${origin}/redirect?code=${code}&to=${encodeURIComponent(to)}`;
  const secrets = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Api-Key': 'k', 'If-None-Match': '"1"' };

  it('within a site keep the caller’s fields, but not those about the first address', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    const { headers } = readEcho(await fetcher.fetch({ url: redirect(site.origin, '/echo'), headers: secrets }));
    assert.equal(headers.authorization, 'Bearer x');
    assert.equal(headers['if-none-match'], undefined);
  });

  it('to another site drop every field of the caller', async () => {
    await using site = await createHostileSite();
    await using other = await createHostileSite();
    await using fetcher = open([site.origin, other.origin]);
    const url = redirect(site.origin, `${other.origin}/echo`);
    const { headers } = readEcho(await fetcher.fetch({ url, headers: secrets }));
    for (const name of Object.keys(secrets)) assert.equal(headers[name.toLowerCase()], undefined, name);
    assert.match(headers['user-agent']!, /crawl4r/);
  });

  it('change the method as the standard says, and carry no body to another site', async () => {
    await using site = await createHostileSite();
    await using other = await createHostileSite();
    await using fetcher = open([site.origin, other.origin]);
    const post = (code: number, to = '/echo'): FetchRequest => ({
      url: redirect(site.origin, to, code),
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'a/b' },
    });
    for (const code of [301, 302, 303]) {
      const echo = readEcho(await fetcher.fetch(post(code)));
      assert.deepEqual([echo.method, echo.body, echo.headers['content-type']], ['GET', '', undefined]);
    }
    for (const code of [307, 308]) {
      const echo = readEcho(await fetcher.fetch(post(code)));
      assert.deepEqual([echo.method, echo.body, echo.headers['content-type']], ['POST', 'x', 'a/b']);
      await assert.rejects(fetcher.fetch(post(code, `${other.origin}/echo`)), { code: 'REDIRECT_INVALID' });
    }
    assert.equal(other.connections.total, 0);
  });

  it('without a place to go are answers', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    assert.equal((await fetcher.fetch({ url: redirect(site.origin, '') })).status, 302);
    assert.equal((await fetcher.fetch({ url: `${site.origin}/status?code=301` })).status, 301);
  });

  it('are given back when none are wanted', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    const response = await fetcher.fetch({ url: redirect(site.origin, '/ok'), maxRedirects: 0 });
    assert.equal(response.status, 302);
    assert.equal(Buffer.from(response.body).toString(), 'moved');
  });

  it('may be thought about for longer than the deadline, but not after the fetch is called off', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    const url = redirect(site.origin, '/ok');
    const slow = await fetcher.fetch({
      url,
      timeoutMs: 300,
      onRedirect: () => new Promise((resolve) => setTimeout(resolve, 400)),
    });
    assert.equal(slow.status, 200);
    const controller = new AbortController();
    const stuck = fetcher.fetch({
      url,
      signal: controller.signal,
      onRedirect: () => {
        setTimeout(() => controller.abort());
        return new Promise(() => {});
      },
    });
    await assert.rejects(stuck, { code: 'CANCELLED' });
  });

  it('to nowhere are refused', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    for (const to of ['file:///etc/passwd', 'javascript:1', 'http://[', 'gopher://127.0.0.1/'])
      await assert.rejects(fetcher.fetch({ url: redirect(site.origin, to) }), { code: 'REDIRECT_INVALID' }, to);
  });

  it('with an endless body are followed without reading it', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    const response = await fetcher.fetch({ url: `${site.origin}/redirect-endless?to=/ok` });
    assert.equal(response.url, `${site.origin}/ok`);
  });
});

describe('encodings', () => {
  const page = Buffer.from('<html>'.repeat(1_000));
  const packed: [string, Buffer][] = [
    ['gzip', gzipSync(page)],
    ['x-gzip', gzipSync(page)],
    ['deflate', deflateSync(page)],
    ['deflate', deflateRawSync(page)],
    ['br', brotliCompressSync(page)],
    ['zstd', zstdCompressSync(page)],
    ['GZIP, br', brotliCompressSync(gzipSync(page))],
    ['identity, gzip', gzipSync(page)],
    ['utf-8', page],
  ];

  it('are undone', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    for (const [name, bytes] of packed) {
      const body = encodeURIComponent(bytes.toString('base64'));
      const response = await fetcher.fetch({ url: `${site.origin}/encoded?as=${name}&body=${body}` });
      assert.ok(page.equals(response.body), name);
    }
  });

  it('may be cut short, but not lie', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    const get = (as: string, bytes: Buffer) =>
      fetcher.fetch({ url: `${site.origin}/encoded?as=${as}&body=${encodeURIComponent(bytes.toString('base64'))}` });
    const cut = await get('gzip', gzipSync(page).subarray(0, -8));
    assert.ok(page.equals(cut.body));
    assert.equal((await get('gzip', Buffer.alloc(0))).body.length, 0);
    await assert.rejects(get('gzip', page), { code: 'RESPONSE_INVALID' });
    await assert.rejects(get('compress', page), { code: 'ENCODING_UNSUPPORTED' });
    await assert.rejects(get('gzip,gzip,gzip,gzip', page), { code: 'ENCODING_UNSUPPORTED' });
  });

  it('that are merely long are too large', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    const packed = gzipSync(Array.from({ length: 2_000 }, (_, i) => (i * 7_919).toString(36)).join(' '));
    const url = `${site.origin}/encoded?as=gzip&body=${encodeURIComponent(packed.toString('base64'))}`;
    await assert.rejects(fetcher.fetch({ url, maxBytes: packed.length }), { code: 'TOO_LARGE' });
  });

  it('that explode end with their code, in little memory', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip']) {
      const url = `${site.origin}/bomb?encoding=${encodeURIComponent(encoding)}`;
      await assert.rejects(fetcher.fetch({ url }), { code: 'DECOMPRESSION_BOMB' }, encoding);
    }
  });
});

describe('hostile answers', () => {
  const cases: [string, string, Partial<FetchRequest>][] = [
    ['/endless', 'TOO_LARGE', {}],
    ['/length-huge', 'TOO_LARGE', {}],
    ['/drip', 'TIMEOUT', { timeoutMs: 100 }],
    ['/drip-headers', 'TIMEOUT', { timeoutMs: 100 }],
    ['/silent', 'TIMEOUT', { timeoutMs: 50 }],
    ['/header-flood', 'HEADERS_TOO_LARGE', {}],
    ['/header-endless', 'HEADERS_TOO_LARGE', {}],
    ['/trailer-flood', 'HEADERS_TOO_LARGE', { timeoutMs: 5_000 }],
    ['/chunk-flood', 'TIMEOUT', { timeoutMs: 200 }],
    ['/hint-flood', 'TIMEOUT', { timeoutMs: 200 }],
    ['/length-twice', 'CONNECTION_RESET', {}],
    ['/length-too-long', 'CONNECTION_RESET', {}],
    ['/reset', 'CONNECTION_RESET', {}],
    ['/not-http', 'RESPONSE_INVALID', {}],
    ['/loop', 'TOO_MANY_REDIRECTS', {}],
    ['/bomb?encoding=gzip', 'DECOMPRESSION_BOMB', { maxBytes: 40 * 1024 * 1024 }],
  ];
  for (const [path, code, request] of cases)
    it(`${path} ends with ${code}`, async () => {
      await using site = await createHostileSite();
      await using fetcher = open([site.origin]);
      await assert.rejects(fetcher.fetch({ url: site.origin + path, ...request }), { code });
      assert.equal((await fetcher.fetch({ url: `${site.origin}/ok` })).status, 200, 'and the next fetch works');
    });

  it('/switch ends with an error and frees the connection', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin]);
    await assert.rejects(fetcher.fetch({ url: `${site.origin}/switch`, timeoutMs: 2_000 }), { name: 'AppError' });
  });

  it('read many large bodies at once without waiting for ever', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin], undefined, { maxBytes: 4 * MAX_BYTES });
    const url = `${site.origin}/bytes?count=${2 * MAX_BYTES}`;
    const bodies = await Promise.all(Array.from({ length: 40 }, () => fetcher.fetch({ url })));
    assert.ok(bodies.every(({ body }) => body.length === 2 * MAX_BYTES));
  });

  it('leave no connection behind when they time out', async () => {
    await using site = await createHostileSite();
    {
      await using fetcher = open([site.origin]);
      await assert.rejects(fetcher.fetch({ url: `${site.origin}/drip`, timeoutMs: 50 }), { code: 'TIMEOUT' });
    }
    while (site.connections.open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(site.connections.open, 0);
  });
});

describe('names', () => {
  it('are resolved once per connection, and the connection goes to that address', async () => {
    await using site = await createHostileSite({ host: '0.0.0.0' });
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1', '127.0.0.2']];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? [];
    // 127.0.0.1 stands for the public address, 127.0.0.2 for the private one the name changes to.
    await using fetcher = open([`127.0.0.1:${site.port}`], resolve, { dnsTtlS: 0 });
    const origin = `http://rebind.example:${site.port}`;
    const response = await fetcher.fetch({ url: `${origin}/ok` });
    assert.equal(response.remoteAddress, '127.0.0.1');
    assert.equal((await fetcher.fetch({ url: `${origin}/ok` })).status, 200);
    assert.equal(asked, 1, 'an open connection stays where it was judged');
    await assert.rejects(fetcher.fetch({ url: `${origin}/reset` }), { code: 'CONNECTION_RESET' });
    await assert.rejects(fetcher.fetch({ url: `${origin}/ok` }), { code: 'URL_BLOCKED' });
    await assert.rejects(fetcher.fetch({ url: `${origin}/ok` }), { code: 'URL_BLOCKED' });
    assert.equal(asked, 3);
    assert.ok(site.requests.every(({ socket }) => socket.localAddress !== '127.0.0.2'));
    assert.equal(site.connections.total, 1);
  });

  it('are asked for once by many, and remembered', async () => {
    await using site = await createHostileSite();
    let asked = 0;
    const resolve = async () => {
      asked++;
      return ['127.0.0.1'];
    };
    await using fetcher = open([`127.0.0.1:${site.port}`], resolve);
    const url = `http://named.example:${site.port}/ok`;
    await Promise.all(Array.from({ length: 8 }, () => fetcher.fetch({ url })));
    assert.equal(asked, 1);
  });

  it('that lead to this machine reach nothing, however they are written', async () => {
    await using canary = await createHostileSite({ host: '0.0.0.0' });
    await using door = await createHostileSite();
    const { port } = canary;
    await using fetcher = open([door.origin], async () => ['127.0.0.1']);
    const hosts = (
      '127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 0 0.0.0.0 127.0.0.1. localhost ' +
      'localhost. LOCALHOST sub.localhost [::1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] ' +
      '[2002:7f00:1::] [::] ①②⑦.⓪.⓪.① 127。0。0。1 %31%32%37%2e0.0.1 127.0.0.1.nip.io anything.example user@127.0.0.1 ' +
      'example.com@127.0.0.1 127.0.0.1#@example.com 127.0.0.1?@example.com example.com\\@127.0.0.1'
    ).split(' ');
    for (const host of hosts) {
      const url = host.includes('?') || host.includes('#') ? `http://${host}` : `http://${host}:${port}/ok`;
      await assert.rejects(fetcher.fetch({ url }), /./, url);
      await assert.rejects(fetcher.fetch({ url: `${door.origin}/redirect?to=${encodeURIComponent(url)}` }), /./, url);
      for (const scheme of ['http', 'socks5'])
        await assert.rejects(
          fetcher.fetch({ url: `${door.origin}/x`, proxy: `${scheme}://${host}:${port}` }),
          /./,
          url,
        );
    }
    assert.equal(canary.connections.total, 0);
  });
});

describe('TLS', () => {
  it('refuses a certificate nobody vouches for', async () => {
    await using site = await createHostileSite({ tls: certificate });
    await using fetcher = open([site.origin]);
    await assert.rejects(fetcher.fetch({ url: `${site.origin}/ok` }), { code: 'TLS_FAILED' });
  });

  it('speaks in the name of the host while connected to the judged address', async (t) => {
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, certificate.cert.toString()]);
    t.after(() => tls.setDefaultCACertificates(before));
    await using site = await createHostileSite({ tls: certificate });
    await using proxy = await createProxyServer({ kind: 'https', tls: certificate });
    await using fetcher = open([`127.0.0.1:${site.port}`, proxy.authority], async () => ['127.0.0.1']);
    const url = `https://secure.example:${site.port}/ok`;
    assert.equal((await fetcher.fetch({ url })).status, 200);
    assert.equal((await fetcher.fetch({ url: `${site.origin}/ok` })).status, 200, 'by its address, too');
    assert.equal((await fetcher.fetch({ url, proxy: `https://${proxy.authority}` })).status, 200);
    await assert.rejects(fetcher.fetch({ url: `https://other.example:${site.port}/ok` }), { code: 'TLS_FAILED' });
  });
});

describe('proxies', () => {
  for (const kind of ['http', 'socks5'] as const)
    it(`${kind}: gets the judged address, with credentials`, async () => {
      await using site = await createHostileSite();
      await using proxy = await createProxyServer({ kind, credentials: 'me:p@ss' });
      const target = `127.0.0.1:${site.port}`;
      await using fetcher = open([target, proxy.authority], async () => ['127.0.0.1']);
      const url = `http://named.example:${site.port}/echo`;
      const response = await fetcher.fetch({ url, proxy: `${kind}://me:p%40ss@${proxy.authority}` });
      assert.equal(readEcho(response).headers.host, `named.example:${site.port}`);
      assert.deepEqual(proxy.targets, [target]);
      await assert.rejects(fetcher.fetch({ url, proxy: `${kind}://me:wrong@${proxy.authority}` }), {
        code: 'PROXY_FAILED',
      });
    });

  it('cannot be used to reach what is refused, nor be refused themselves', async () => {
    await using site = await createHostileSite();
    await using proxy = await createProxyServer({ kind: 'http' });
    const through = `http://${proxy.authority}`;
    await using strict = open([proxy.authority], async () => ['127.0.0.1']);
    for (const url of [`${site.origin}/ok`, `http://named.example:${site.port}/ok`])
      await assert.rejects(strict.fetch({ url, proxy: through }), { code: 'URL_BLOCKED' });
    await using other = open([site.origin]);
    await assert.rejects(other.fetch({ url: `${site.origin}/ok`, proxy: through }), { code: 'URL_BLOCKED' });
    assert.deepEqual(proxy.targets, []);
    assert.equal(site.connections.total, 0);
  });

  it('that fail are told from sites that fail', async () => {
    await using site = await createHostileSite();
    await using http = await createProxyServer({ kind: 'http', refusal: 502 });
    await using socks = await createProxyServer({ kind: 'socks5', refusal: 5 });
    await using fetcher = open([site.origin, http.authority, socks.authority, '127.0.0.1:9']);
    const get = (proxy: string) => fetcher.fetch({ url: `${site.origin}/ok`, proxy });
    await assert.rejects(get(`http://${http.authority}`), { code: 'PROXY_FAILED' });
    await assert.rejects(get(`socks5://${socks.authority}`), { code: 'CONNECT_FAILED' });
    await assert.rejects(get('http://127.0.0.1:9'), { code: 'PROXY_FAILED' });
    await assert.rejects(get(`ftp://${http.authority}`), { code: 'PROXY_FAILED' });
    await assert.rejects(get('nonsense'), { code: 'PROXY_FAILED' });
  });
});
