import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createHostileSite } from '../../../test/support/hostile-site.ts';
import { openFetcher as open, readEcho } from '../../../test/support/http-fetcher.ts';
import type { FetchRequest } from '../../ports/fetcher.ts';

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
      onRedirect: () => new Promise((resolve) => setTimeout(resolve, 400, {})),
    });
    assert.equal(slow.status, 200);
    assert.ok(slow.timings.totalMs < 300, 'the site took that long, not we');
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
