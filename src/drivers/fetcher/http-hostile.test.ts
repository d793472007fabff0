import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import tls from 'node:tls';
import { createHostileSite, PATTERN } from '../../../test/support/hostile-site.ts';
import { certificate, MAX_BYTES, openFetcher as open, readEcho } from '../../../test/support/http-fetcher.ts';
import { createProxyServer } from '../../../test/support/proxy-server.ts';
import type { FetchRequest } from '../../ports/fetcher.ts';

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

  for (const query of ['', '&chunked'])
    it(`large bodies arrive byte for byte (${query || 'with their length'})`, async () => {
      await using site = await createHostileSite();
      await using fetcher = open([site.origin], undefined, { maxBytes: 10_000_000 });
      const { body } = await fetcher.fetch({ url: `${site.origin}/bytes?count=7000001${query}` });
      assert.ok(Buffer.alloc(7_000_001, PATTERN).equals(body));
    });

  it('read many large bodies at once without waiting for ever', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin], undefined, { maxBytes: 4 * MAX_BYTES });
    const url = `${site.origin}/bytes?count=${2 * MAX_BYTES}`;
    const bodies = await Promise.all(Array.from({ length: 40 }, () => fetcher.fetch({ url })));
    assert.ok(bodies.every(({ body }) => body.length === 2 * MAX_BYTES));
  });

  for (const path of ['/bytes?count=4000000', '/bomb?encoding=zstd'])
    it(`${path} waits for leave before it is held in memory, and asks once`, async () => {
      await using site = await createHostileSite({ prepare: true });
      await using fetcher = open([site.origin], undefined, { maxBytes: 100 * 1024 * 1024 });
      const { promise: leave, resolve: give } = Promise.withResolvers<void>();
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
      let times = 0;
      let ended = false;
      const response = fetcher
        .fetch({
          url: site.origin + path,
          beforeLarge: () => {
            times++;
            ask();
            return leave;
          },
        })
        .finally(() => {
          ended = true;
        });
      await asked;
      // Another whole fetch passes meanwhile.
      await fetcher.fetch({ url: `${site.origin}/ok` });
      assert.equal(ended, false);
      give();
      assert.ok((await response).body.length >= 4_000_000);
      assert.equal(times, 1);
    });

  it('that wait for leave can still be called off', async () => {
    await using site = await createHostileSite();
    await using fetcher = open([site.origin], undefined, { maxBytes: 10 * 1024 * 1024 });
    const stop = new AbortController();
    const response = fetcher.fetch({
      url: `${site.origin}/bytes?count=4000000`,
      signal: stop.signal,
      beforeLarge: () => {
        stop.abort();
        return new Promise(() => {});
      },
    });
    await assert.rejects(response, { code: 'CANCELLED' });
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

  it('with several addresses are tried in turn', async () => {
    await using site = await createHostileSite();
    const { port } = site;
    // Nothing listens on the first one.
    await using fetcher = open([`127.0.0.3:${port}`, `127.0.0.1:${port}`], async () => ['127.0.0.3', '127.0.0.1']);
    const response = await fetcher.fetch({ url: `http://two.example:${port}/ok` });
    assert.equal(response.remoteAddress, '127.0.0.1');
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
