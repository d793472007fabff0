import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Client, CrawlerApiError, createClient } from '../../../clients/typescript/src/index.ts';
import { createLocalFetch, IN_PROCESS } from '../../../src/surfaces/http/client.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { createServer as createApi } from '../../../src/surfaces/http/server.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

const NONE = '01920000-0000-7000-8000-000000000000';

describe('the client', () => {
  let api: TestApi;
  let server: string;
  let client: Client;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) });
    server = (await listen(api.server, { host: '127.0.0.1', port: 0 })).origin;
    client = createClient({ server, key: api.keys.admin });
  });
  after(() => api[Symbol.asyncDispose]());

  it('starts, shows, changes and lists, with a slash or the path of the API behind the address too', async () => {
    for (const address of [server, `${server}/`, `${server}/api/v1`, `${server}/api/v1/`]) {
      const { crawls } = createClient({ server: address, key: api.keys.admin });
      const started = await crawls.start({ urls: ['https://example.com/a'] });
      assert.equal((await crawls.pause(started.id)).status, 'paused');
      assert.equal((await crawls.prioritise(started.id, { priority: 'high' })).priority, 2);
      assert.equal((await crawls.get(started.id)).priority, 2);
    }
    let paused = 0;
    for await (const { status } of client.paginate(client.crawls.list, { status: 'paused', limit: 2 }))
      paused += status === 'paused' ? 1 : 100;
    assert.equal(paused, 4);
    assert.equal((await client.request<{ status: string }>('GET', '/health')).status, 'ok');
  });

  it('walks through lists of any length, and stops asking when the reader has enough', async () => {
    for (let nth = 0; nth < 7; nth++) await client.organise.createTag({ name: `tag ${nth}` });
    let asked = 0;
    const list: typeof client.organise.listTags = (query, options) => {
      asked++;
      return client.organise.listTags(query, options);
    };
    const names: string[] = [];
    for await (const { name } of client.paginate(list, { limit: 3 })) names.push(name);
    assert.deepEqual(
      [...names].sort(),
      Array.from({ length: 7 }, (_, nth) => `tag ${nth}`),
    );
    assert.equal(asked, 3);
    for await (const _ of client.paginate(list, { limit: 3 })) break;
    assert.equal(asked, 4);
  });

  it('answers nothing for what has no answer', async () => {
    const tag = await client.organise.createTag({ name: 'gone soon' });
    assert.equal(await client.organise.deleteTag(tag.id), undefined);
  });

  it('throws what the server says: status, code, hint, details, request id', async () => {
    const failed = (work: Promise<unknown>) =>
      work.then(
        () => assert.fail('it worked'),
        (error: unknown) => {
          assert.ok(error instanceof CrawlerApiError);
          return error;
        },
      );
    const missing = await failed(client.crawls.get(NONE));
    assert.deepEqual([missing.status, missing.code], [404, 'NOT_FOUND']);
    assert.match(missing.hint ?? '', /Check the id/);
    assert.match(missing.requestId ?? '', /^[\w-]{8,}$/);
    const wrong = await failed(client.crawls.start({ urls: [] }));
    assert.deepEqual([wrong.status, Object.keys(wrong.details ?? {})], [400, ['body.urls']]);
    const stranger = await failed(createClient({ server }).crawls.list());
    assert.deepEqual([stranger.status, stranger.code], [401, 'AUTH_REQUIRED']);
    const reader = await failed(
      createClient({ server, key: api.keys.read }).crawls.start({ urls: ['https://a.example'] }),
    );
    assert.equal(reader.code, 'FORBIDDEN');
  });

  it('makes a thing once, though the answer was lost on the way', async () => {
    let sent = 0;
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (sent++ > 0) return response;
      await response.text();
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
    };
    const unlucky = createClient({ server, key: api.keys.admin, fetch: losing });
    const made = await unlucky.organise.createCollection({ name: 'once' });
    assert.equal(sent, 2);
    const all = await client.organise.listCollections({ limit: 200 });
    assert.deepEqual(
      all.items.filter(({ name }) => name === 'once').map(({ id }) => id),
      [made.id],
    );
    // What may have been done and cannot be recognised is not sent again.
    sent = 0;
    await assert.rejects(unlucky.crawls.pause(NONE), { code: 'CONNECTION_FAILED' });
    assert.equal(sent, 1);
  });

  it('a bad value for a path is refused before anything is sent', () => {
    assert.throws(() => client.crawls.get('..'), TypeError);
    assert.throws(() => client.documents.delete(''), TypeError);
  });

  it('an address that is none is refused at once, and a secret in it is not repeated', () => {
    for (const address of ['example.com', 'ftp://example.com', '', 'https://user:s3cret@example.com'])
      assert.throws(
        () => createClient({ server: address }),
        (error: CrawlerApiError) => error.code === 'URL_INVALID' && !error.message.includes('s3cret'),
      );
  });

  it('a server in this process answers the same, streams and downloads included', async () => {
    const trusted = createApi(api.app, { trusted: true });
    try {
      const local = createClient({ server: IN_PROCESS, fetch: createLocalFetch(trusted) });
      const crawl = await local.crawls.start({ urls: ['https://example.com/local'] });
      await assert.rejects(local.crawls.get(NONE), { code: 'NOT_FOUND', status: 404 });
      const seen: string[] = [];
      for await (const { event } of local.crawls.follow(crawl.id)) {
        seen.push(event);
        if (event === 'crawl.snapshot') await local.crawls.cancel(crawl.id);
      }
      assert.equal(seen[0], 'crawl.snapshot');
      assert.ok(seen.includes('crawl.cancelled'), seen.join());
      const raw = await local.request<Response>('GET', `/crawl/${crawl.id}`, undefined, { raw: true });
      assert.equal(((await raw.json()) as { id: string }).id, crawl.id);
    } finally {
      await trusted.close();
    }
  });
});

describe('a server that is in trouble', () => {
  type Answer = (count: number) => { status: number; headers?: Record<string, string>; body?: string } | undefined;

  async function withServer(answer: Answer, work: (client: Client, requests: () => number) => Promise<void>) {
    let count = 0;
    const server = createServer((request, response) => {
      request.resume();
      const said = answer(++count);
      if (said === undefined) return;
      response.writeHead(said.status, { 'content-type': 'application/json', ...said.headers });
      response.end(said.body ?? '{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      await work(createClient({ server: `http://127.0.0.1:${port}`, timeoutMs: 2_000 }), () => count);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
  const busy = { status: 503, headers: { 'retry-after': '0' }, body: '{"error":"busy","code":"DATABASE_DOWN"}' };
  const health = { status: 200, body: '{"status":"ok","version":"1"}' };

  it('is asked again, and answers when it can', () =>
    withServer(
      (count) => (count < 3 ? busy : health),
      async (client, requests) => {
        assert.equal((await client.admin.getHealth()).version, '1');
        assert.equal(requests(), 3);
      },
    ));

  it('is asked so often and no more', () =>
    withServer(
      () => busy,
      async (client, requests) => {
        await assert.rejects(client.admin.getHealth({ retries: 2 }), { code: 'DATABASE_DOWN', status: 503 });
        assert.equal(requests(), 3);
      },
    ));

  it('gets no further try when it asks for more patience than there is', () =>
    withServer(
      () => ({ ...busy, status: 429, headers: { 'retry-after': '3600' } }),
      async (client, requests) => {
        await assert.rejects(client.admin.getHealth(), { status: 429, retryAfterMs: 3_600_000 });
        assert.equal(requests(), 1);
      },
    ));

  it('that does not answer is left after the time-out', () =>
    withServer(
      () => undefined,
      async (client) => {
        await assert.rejects(client.admin.getHealth({ timeoutMs: 50, retries: 0 }), { code: 'TIMEOUT', status: 0 });
      },
    ));

  it('a signal ends the request, and the wait between two', () =>
    withServer(
      (count) => (count === 1 ? { ...busy, headers: { 'retry-after': '20' } } : undefined),
      async (client) => {
        const reason = new Error('enough');
        const stop = new AbortController();
        setTimeout(() => stop.abort(reason), 50);
        await assert.rejects(client.admin.getHealth({ signal: stop.signal }), reason);
        await assert.rejects(client.admin.getHealth({ signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
      },
    ));

  it('that sends the client elsewhere is not followed: the key stays', () =>
    withServer(
      () => ({ status: 301, headers: { location: 'https://elsewhere.example/' } }),
      async (client, requests) => {
        await assert.rejects(client.admin.getHealth(), { code: 'REDIRECTED' });
        assert.equal(requests(), 1);
      },
    ));

  it('that is no crawl4r is recognised, whatever it says', async () => {
    for (const said of [
      { status: 200, body: '<html>' },
      { status: 404, body: 'not found' },
      { status: 500, body: '[]' },
    ])
      await withServer(
        () => said,
        async (client) => {
          await assert.rejects(client.admin.getHealth({ retries: 0 }), { code: 'ANSWER_INVALID', status: said.status });
        },
      );
  });

  it('an answer without end does not fill the memory', () =>
    withServer(
      () => ({ status: 200, body: `"${'x'.repeat(100_000)}"` }),
      async (client) => {
        const small = createClient({ server: client.server, maxAnswerBytes: 10_000 });
        await assert.rejects(small.admin.getHealth(), { code: 'ANSWER_INVALID' });
      },
    ));
});
