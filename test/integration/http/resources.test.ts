import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import type { FetchRequest } from '../../../src/ports/fetcher.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

const DOMAIN = '01920000-0000-7000-8000-0000000000d1';
const PAGE = '01920000-0000-7000-8000-0000000000a1';
const DOCUMENT = '01920000-0000-7000-8000-0000000000b1';
const NOBODY = '01920000-0000-7000-8000-000000000000';

describe('resources over HTTP', () => {
  let api: TestApi;
  const fetched: FetchRequest[] = [];
  before(async () => {
    api = await createTestApi({
      guard: createGuard([]),
      fetcher: {
        fetch: async (request) => {
          fetched.push(request);
          if (request.proxy?.includes('broken') === true) throw new AppError('PROXY_FAILED', 'the proxy hung up');
          return {
            url: request.url,
            status: 200,
            headers: {},
            body: Buffer.alloc(0),
            redirects: [],
            timings: { firstByteMs: 1, totalMs: 1 },
          };
        },
        [Symbol.asyncDispose]: async () => {},
      },
    });
    await api.app.database.query(`INSERT INTO domains (id, domain) VALUES ($1, 'example.com')`, [DOMAIN]);
  });
  after(() => api[Symbol.asyncDispose]());

  const ok = async (method: string, path: string, body?: unknown, status = 200) => {
    const answer = await api.call(method, path, body);
    assert.equal(answer.status, status, answer.text);
    return answer.body;
  };

  it('collections: make, list in pages, show, change, delete', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await ok('POST', '/collections', { name }, 201)).id);
    const first = await ok('GET', '/collections?limit=2');
    assert.deepEqual([first.items.map((item: { id: string }) => item.id), first.has_more], [ids.slice(0, 2), true]);
    const rest = await ok('GET', `/collections?limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual([rest.items.length, rest.has_more, rest.next_cursor], [1, false, null]);
    assert.equal((await ok('GET', `/collections/${ids[0]}`)).documents, 0);
    const changed = await ok('PUT', `/collections/${ids[0]}`, { name: 'c2', description: 'words' });
    assert.equal(changed.description, 'words');
    await ok('DELETE', `/collections/${ids[0]}`, undefined, 204);
    await ok('GET', `/collections/${ids[0]}`, undefined, 404);
    await ok('PUT', `/collections/${ids[0]}`, { name: 'x' }, 404);
    await ok('DELETE', `/collections/${ids[0]}`, undefined, 404);
  });

  it('tags are lower case and listed by name', async () => {
    for (const name of ['Zebra', ' apple ']) await ok('POST', '/tags', { name }, 201);
    const first = await ok('GET', '/tags?limit=1');
    assert.equal(first.items[0].name, 'apple');
    assert.equal((await ok('GET', `/tags?limit=1&cursor=${first.next_cursor}`)).items[0].name, 'zebra');
    await ok('POST', '/tags', { name: 'ZEBRA' }, 409);
  });

  it('configs hold options that a crawl takes, and no others', async () => {
    const made = await ok('POST', '/configs', { name: 'docs', options: { max_depth: 3, render: 'auto' } }, 201);
    assert.deepEqual(made.options, { max_depth: 3, render: 'auto' });
    assert.deepEqual((await ok('PUT', `/configs/${made.id}`, { name: 'docs' })).options, {});
    assert.equal((await ok('GET', `/configs/${made.id}`)).name, 'docs');
    assert.equal((await ok('GET', '/configs')).items.length, 1);
    await ok('POST', '/configs', { name: 'x', options: { max_dpeth: 3 } }, 400);
    await ok('DELETE', `/configs/${made.id}`, undefined, 204);
    await ok('GET', `/configs/${made.id}`, undefined, 404);
  });

  it('domains: policy changes only what is given, and names reduce to their domain', async () => {
    const set = await ok('PUT', '/domains/www.example.com', {
      rate_limit_rps: 2.5,
      maintenance_windows: [{ from: '02:00', to: '04:30', time_zone: 'Europe/Berlin' }],
    });
    assert.deepEqual([set.domain, set.rate_limit_rps, set.is_blocked], ['example.com', 2.5, false]);
    const again = await ok('PUT', '/domains/example.com', { max_concurrency: 3 });
    assert.deepEqual([again.rate_limit_rps, again.max_concurrency], [2.5, 3]);
    assert.equal((await ok('PUT', '/domains/example.com', { rate_limit_rps: null })).rate_limit_rps, null);
    assert.equal((await ok('PUT', '/domains/new.example.org', { autothrottle: true })).domain, 'example.org');
    // Closed at no time of day: the tests below visit it.
    await ok('PUT', '/domains/example.com', { maintenance_windows: [] });
    await ok('PUT', '/domains/example.com', { maintenance_windows: [{ from: '25:00', to: '04:00' }] }, 400);
    await ok(
      'PUT',
      '/domains/example.com',
      { maintenance_windows: [{ from: '01:00', to: '04:00', time_zone: 'Mars' }] },
      400,
    );
    await ok('PUT', '/domains/not%20a%20domain', {}, 400);
    await ok('GET', '/domains/unknown.net', undefined, 404);
  });

  it('domains: block, list, unblock, reset', async () => {
    const blocked = await ok('POST', '/domains/example.com/block', { reason: 'asked to' });
    assert.deepEqual([blocked.is_blocked, blocked.blocked_reason], [true, 'asked to']);
    const list = await ok('GET', '/domains?blocked=true');
    assert.deepEqual(
      list.items.map((item: { domain: string }) => item.domain),
      ['example.com'],
    );
    assert.equal((await ok('POST', '/domains/example.com/unblock')).is_blocked, false);
    await api.app.database.query(
      `UPDATE domains SET circuit_state = 'open', circuit_failures = 9, circuit_until = now(), throttle_ms = 500,
         next_at = now() + interval '1 hour' WHERE id = $1`,
      [DOMAIN],
    );
    assert.equal((await ok('GET', '/domains/example.com')).circuit.state, 'open');
    const reset = await ok('POST', '/domains/example.com/reset');
    assert.deepEqual([reset.circuit.state, reset.circuit.failures, reset.throttle_ms], ['closed', 0, 0]);
    await ok('POST', '/domains/unknown.net/reset', undefined, 404);
    assert.equal((await ok('GET', '/domains?query=xample.o')).items[0].domain, 'example.org');
  });

  it('domains: robots files and figures', async () => {
    await api.app.database.query(
      `INSERT INTO robots (origin, domain_id, status, state, body, expires_at)
       VALUES ('https://example.com', $1, 200, 'rules', 'User-agent: *', now() + interval '1 day')`,
      [DOMAIN],
    );
    assert.equal((await ok('GET', '/domains/example.com/robots')).files[0].body, 'User-agent: *');
    assert.equal((await ok('GET', '/domains/example.com/stats')).tasks_waiting, 0);
    assert.equal((await ok('GET', '/stats/domains?limit=1')).has_more, true);
  });

  it('proxies: a password goes in and never comes out', async () => {
    const made = await api.call('POST', '/proxies', { name: 'p1', url: 'http://user:s3cret@proxy.example.net:8080' });
    assert.equal(made.status, 201, made.text);
    assert.ok(!made.text.includes('s3cret'));
    assert.deepEqual(
      [made.body.url, made.body.username, made.body.has_password],
      ['http://proxy.example.net:8080', 'user', true],
    );
    const changed = await ok('PUT', `/proxies/${made.body.id}`, {
      name: 'p1',
      url: 'http://proxy.example.net:8080',
      username: 'user',
      country_code: 'de',
    });
    assert.deepEqual([changed.has_password, changed.country_code], [true, 'DE']);
    for (const url of ['ftp://proxy', 'proxy', 'http://x/path'])
      await ok('POST', '/proxies', { name: 'bad', url }, 400);
    const tested = await ok('POST', '/proxies/test', { proxy_id: made.body.id });
    assert.equal(tested.ok, true);
    assert.equal(fetched.at(-1)?.proxy, 'http://user:s3cret@proxy.example.net:8080');
    assert.equal((await ok('GET', `/proxies/${made.body.id}`)).success_count, 1);
    const broken = await ok('POST', '/proxies/test', { url: 'http://broken.example.net:8081' });
    assert.deepEqual([broken.ok, broken.code], [false, 'PROXY_FAILED']);
    await ok('POST', '/proxies/test', {}, 400);
    await ok('POST', '/proxies/test', { proxy_id: NOBODY }, 404);
    assert.equal((await ok('POST', `/proxies/${made.body.id}/disable`)).is_active, false);
    assert.equal((await ok('GET', '/proxies?active=false')).items.length, 1);
    assert.equal((await ok('POST', `/proxies/${made.body.id}/enable`)).is_active, true);
    await ok('POST', `/proxies/${NOBODY}/enable`, undefined, 404);
  });

  it('proxies of a domain: assign, show health, change, remove', async () => {
    const { id } = await ok('POST', '/proxies', { name: 'p2', url: 'socks5://proxy.example.net:1080' }, 201);
    await ok('POST', '/domains/example.com/proxies', { proxy_ids: [NOBODY] }, 404);
    const pool = await ok('POST', '/domains/example.com/proxies', { proxy_ids: [id], priority: 'high' }, 201);
    assert.deepEqual([pool.items[0].proxy_id, pool.items[0].priority], [id, 2]);
    assert.equal((await ok('GET', '/domains/example.com')).uses_proxies, true);
    await ok('PATCH', `/domains/example.com/proxies/${id}`, { is_active: false }, 204);
    const health = await ok('GET', '/domains/example.com/proxies/health');
    assert.deepEqual([health.total, health.active], [1, 0]);
    assert.equal((await ok('GET', '/domains/example.com/proxies')).total, 1);
    await ok('DELETE', `/domains/example.com/proxies/${id}`, undefined, 204);
    assert.equal((await ok('GET', '/domains/example.com')).uses_proxies, false);
    await ok('DELETE', `/domains/example.com/proxies/${id}`, undefined, 404);
    await ok('DELETE', `/proxies/${id}`, undefined, 204);
  });

  it('sources: a schedule gives the next run, on the clock of its zone', async () => {
    const input = {
      name: 'docs',
      url: 'HTTPS://Example.com/docs/../a',
      schedule_cron: '30 6 * * *',
      time_zone: 'Asia/Kolkata',
    };
    const made = await ok('POST', '/sources', input, 201);
    assert.equal(made.url, 'https://example.com/a');
    assert.match(made.next_run_at, /T01:00:00\.000Z$/);
    assert.equal((await ok('PUT', `/sources/${made.id}`, { ...input, is_active: false })).next_run_at, null);
    assert.equal((await ok('GET', `/sources/${made.id}`)).is_active, false);
    assert.equal((await ok('GET', '/sources')).items.length, 1);
    await ok('POST', '/sources', { name: 'x', url: 'https://example.com', schedule_cron: 'now and then' }, 400);
    const bad = await api.call('POST', '/sources', { name: 'x', url: 'ftp://example.com' });
    assert.equal(bad.body.code, 'URL_INVALID', bad.text);
    await ok('POST', '/sources', { name: 'x', url: 'https://example.com', collection_id: NOBODY }, 404);
    await ok('DELETE', `/sources/${made.id}`, undefined, 204);
  });

  it('webhooks of a source: the secret comes out once, headers never', async () => {
    const source = await ok('POST', '/sources', { name: 'hooked', url: 'https://example.com/' }, 201);
    const list = `/sources/${source.id}/webhooks`;
    const input = { url: 'https://hooks.example.net/in', headers: { authorization: 'Bearer s3cret' } };
    const made = await ok('POST', list, input, 201);
    assert.match(made.secret, /^whsec_/);
    assert.deepEqual(made.header_names, ['authorization']);
    const shown = await api.call('GET', `/webhooks/${made.id}`);
    assert.deepEqual([shown.body.url, /s3cret|whsec_/.test(shown.text)], [input.url, false]);
    assert.equal((await ok('GET', list)).items.length, 1);
    const changed = await ok('PUT', `/webhooks/${made.id}`, { ...input, events: ['failed'] });
    assert.deepEqual(changed.events, ['crawl.failed']);
    const tested = await ok('POST', `/webhooks/${made.id}/test`);
    assert.deepEqual([tested.status, fetched.at(-1)?.headers?.authorization], ['delivered', 'Bearer s3cret']);
    const [delivery] = (await ok('GET', `/webhooks/${made.id}/deliveries`)).items;
    const again = await ok('POST', `/webhooks/${made.id}/deliveries/${delivery.id}/redeliver`, undefined, 202);
    assert.deepEqual([again.status, again.attempts], ['pending', 0]);
    assert.notEqual((await ok('POST', `/webhooks/${made.id}/rotate-secret`, {})).secret, made.secret);
    const shared = (await ok('GET', '/webhooks/secret')).secret;
    assert.notEqual((await ok('POST', '/webhooks/secret/rotate', {})).secret, shared);
    for (const bad of [
      { url: 'http://127.0.0.1/' },
      { url: 'ftp://example.com' },
      { ...input, headers: { 'Webhook-Id': 'x' } },
      { ...input, headers: { ok: 'a\r\nb: c' } },
      { ...input, events: [] },
      { ...input, secret: 'whsec_short' },
    ])
      assert.ok([400, 403].includes((await api.call('POST', list, bad)).status), JSON.stringify(bad));
    await ok('DELETE', `/webhooks/${made.id}`, undefined, 204);
    await ok('GET', `/webhooks/${made.id}`, undefined, 404);
    await ok('GET', `/sources/${NOBODY}/webhooks`, undefined, 404);
    await ok('DELETE', `/sources/${source.id}`, undefined, 204);
  });

  it('pages: list both ways, show, versions, diff, forget', async () => {
    const hash = (text: string) => Buffer.from(text.padEnd(32, '.'));
    for (const at of [1, 2, 3])
      await api.app.database.query(
        `INSERT INTO pages (id, url, url_hash, domain_id, title, last_crawled_at)
         VALUES ($1, $2, $3, $4, $5, ('2026-01-01 00:00:00.00000' || $6::text)::timestamptz)`,
        [PAGE.slice(0, -1) + at, `https://example.com/${at}`, hash(`p${at}`), DOMAIN, `Page ${at}`, 9 - at],
      );
    await api.app.database.query(
      `INSERT INTO links (page_id, urls, anchors, rels) VALUES ($1, '{https://example.com/2}', '{Two}', '{nofollow}')`,
      [PAGE],
    );
    await api.app.database.query(
      `INSERT INTO documents (id, url, url_hash, domain, page_id, title, content, content_hash, version)
       VALUES ($1, 'https://example.com/1', $2, 'example.com', $3, 'New', 'one\ntwo\nfour', $2, 2)`,
      [DOCUMENT, hash('p1'), PAGE],
    );
    await api.app.database.query(
      `INSERT INTO document_versions (document_id, version, title, content, content_hash, fetched_at)
       VALUES ($1, 1, 'Old', 'one\ntwo\nthree', $2, now())`,
      [DOCUMENT, hash('old')],
    );
    const titles = async (query: string) => {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const page = await ok('GET', `/pages?limit=1${query}${cursor}`);
        seen.push(...page.items.map((item: { title: string }) => item.title));
        if (!page.has_more) return seen;
        cursor = `&cursor=${page.next_cursor}`;
      }
    };
    assert.deepEqual(await titles('&domain=example.com'), ['Page 3', 'Page 2', 'Page 1']);
    assert.deepEqual(await titles('&sort=visited'), ['Page 1', 'Page 2', 'Page 3']);
    assert.deepEqual(await titles('&query=PAGE%202'), ['Page 2']);
    const page = await ok('GET', `/pages/${PAGE}`);
    assert.deepEqual(page.links, [{ url: 'https://example.com/2', text: 'Two', rel: 'nofollow' }]);
    assert.equal(page.document_id, DOCUMENT);
    const versions = await ok('GET', `/pages/${PAGE}/versions`);
    assert.deepEqual(
      versions.items.map((item: { version: number }) => item.version),
      [2, 1],
    );
    const diff = await ok('GET', `/pages/${PAGE}/diff`);
    assert.deepEqual([diff.added, diff.removed, diff.from.title], [1, 1, 'Old']);
    await ok('GET', `/pages/${PAGE}/diff?from=7`, undefined, 404);
    await ok('DELETE', '/pages', {}, 400);
    assert.equal((await ok('DELETE', '/pages', { ids: [PAGE] })).deleted, 1);
    assert.equal((await ok('DELETE', '/pages', { domain: 'example.com' })).deleted, 2);
    const left = await api.app.database.query(`SELECT action FROM outbox WHERE document_id = $1`, [DOCUMENT]);
    assert.deepEqual(left, [{ action: 'delete' }]);
  });

  it('documents: upload, list, show, tag, move, delete, restore', async () => {
    const { id: collection_id } = await ok('POST', '/collections', { name: 'papers' }, 201);
    const made = await ok('POST', '/documents', { content: '# Title\n\nSome words to keep.', tags: ['Draft'] }, 201);
    assert.deepEqual([made.created, made.version], [true, 1]);
    const batch = await ok(
      'POST',
      '/documents/batch',
      { documents: [{ content: 'one more text' }, { content: ' ' }] },
      201,
    );
    assert.deepEqual([batch.uploaded, batch.failed, batch.documents[1].code], [1, 1, 'VALIDATION_FAILED']);
    assert.equal((await ok('GET', '/documents?source=upload')).items.length, 2);
    const shown = await ok('GET', `/documents/${made.id}`);
    assert.match(shown.content, /Some words to keep/);
    assert.equal(shown.tags[0].name, 'draft');
    assert.equal((await ok('POST', `/documents/${made.id}/tags`, { tags: ['final'] })).tags.length, 2);
    await ok('DELETE', `/documents/${made.id}/tags/${shown.tags[0].id}`, undefined, 204);
    assert.equal((await ok('PATCH', `/documents/${made.id}`, { collection_id })).collection_id, collection_id);
    assert.deepEqual((await ok('GET', `/documents/${made.id}/chunks`)).items, []);
    assert.equal((await ok('POST', `/documents/${made.id}/reindex`)).queued, 1);
    await ok('DELETE', `/documents/${made.id}`, undefined, 204);
    assert.equal((await ok('GET', '/documents?deleted=true')).items[0].id, made.id);
    assert.equal((await ok('POST', `/documents/${made.id}/restore`)).deleted_at, null);
    await ok('GET', `/documents/${NOBODY}`, undefined, 404);
    await ok('POST', '/documents', { content: 'x', content_base64: 'eA==' }, 400);
  });

  it('jobs: list, show, start over what failed and nothing else', async () => {
    for (const [at, status] of ['failed', 'completed', 'running'].entries())
      await api.app.database.query(`INSERT INTO jobs (id, kind, status, attempt) VALUES ($1, 'reindex', $2, 5)`, [
        `01920000-0000-7000-8000-0000000000c${at}`,
        status,
      ]);
    const [failed, done, running] = [0, 1, 2].map((at) => `/jobs/01920000-0000-7000-8000-0000000000c${at}`);
    assert.equal((await ok('GET', '/jobs')).items.length, 3);
    assert.equal((await ok('GET', '/jobs/failed')).items.length, 1);
    assert.equal((await ok('GET', failed!)).status, 'failed');
    const retried = await ok('POST', `${failed}/retry`);
    assert.deepEqual([retried.status, retried.attempt], ['pending', 0]);
    assert.equal((await ok('POST', `${running}/retry`)).status, 'running');
    assert.equal((await api.call('POST', `${done}/retry`)).body.code, 'STATE_CONFLICT');
    await ok('POST', `/jobs/${NOBODY}/retry`, undefined, 404);
    for (const job of [failed, running]) {
      assert.equal((await ok('POST', `${job}/cancel`)).status, 'cancelled', 'it waits, or it runs');
      assert.equal((await ok('GET', job!)).status, 'cancelled');
      assert.equal((await ok('POST', `${job}/cancel`)).status, 'cancelled', 'a second time changes nothing');
    }
    const refused = await api.call('POST', `${done}/cancel`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'STATE_CONFLICT']);
    await ok('POST', `/jobs/${NOBODY}/cancel`, undefined, 404);
  });

  it('figures, workers and health', async () => {
    await api.app.database.query(
      `INSERT INTO workers (id, role, host, pid, version) VALUES ('w1', 'worker', 'here', 1, '0')`,
    );
    assert.equal((await ok('GET', '/workers')).items[0].is_alive, true);
    assert.equal((await ok('GET', '/stats')).workers, 1);
    assert.equal((await api.send({ method: 'GET', url: '/api/v1/stats' })).status, 401);
    assert.deepEqual((await api.send({ method: 'GET', url: '/api/v1/health' })).body, {
      status: 'ok',
      version: '0.0.0-test',
    });
  });

  it('the cache: figures, and clearing by kind', async () => {
    const value = Buffer.from('x');
    for (const key of ['query:1', 'embed:1', 'query-embed:1']) await api.app.cache.set(key, value, 60_000);
    assert.ok((await ok('GET', '/cache/stats')).entries >= 3);
    assert.equal((await ok('DELETE', '/cache/domain/www.example.com')).cleared, 1);
    assert.equal((await ok('DELETE', '/cache/query')).cleared, 0);
    assert.equal((await ok('DELETE', '/cache/embeddings')).cleared, 2);
  });
});
