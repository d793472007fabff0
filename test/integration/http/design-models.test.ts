import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

const SITE = 'https://example.com/';
const WEBHOOK = { webhook_url: null, webhook_headers: {} };
const CRAWL = { config_id: null, collection_id: null, tags: null, priority: 'normal', ...WEBHOOK };
const FILTERS = { collection_ids: null, tag_ids: null, domains: null, date_from: null, date_to: null };
const WALK = { strategy: 'bfs', max_depth: 2, max_pages: 100, keywords: [], collection_id: null, ...WEBHOOK };

/** The models of the design as their own library writes them, without what the server itself gives out (ids, times, states). */
const MODELS: [model: string, method: string, path: string, body: object, status: number][] = [
  ['CrawlRequest', 'POST', '/crawl', { urls: [SITE], ...CRAWL }, 202],
  ['CrawlRequest', 'POST', '/crawl/batch', { urls: [SITE], ...CRAWL }, 202],
  ['DeepCrawlRequest', 'POST', '/crawl/deep', { url: SITE, ...WALK, score_threshold: 0.4, config_id: null }, 202],
  ['DeepCrawlJob', 'POST', '/crawl/deep', { root_url: SITE, ...WALK, score_threshold: 0, crawl_config_id: null }, 202],
  [
    'DiscoveryRequest',
    'POST',
    '/discover',
    {
      domain: 'example.com',
      sources: ['sitemap'],
      pattern: null,
      max_urls: 500,
      score_query: null,
      score_threshold: 0.3,
    },
    202,
  ],
  [
    'DocumentUploadRequest',
    'POST',
    '/documents',
    { url: SITE, title: null, content: 'Some words.', collection_id: null, tags: null, metadata: {} },
    201,
  ],
  ['Collection', 'POST', '/collections', { name: 'all', description: null }, 201],
  ['Tag', 'POST', '/tags', { name: 'one' }, 201],
  ['ApiKey', 'POST', '/api-keys', { name: 'one', scopes: ['read'], rate_limit_rpm: 60, expires_at: null }, 201],
  [
    'CrawlConfig',
    'POST',
    '/configs',
    {
      name: 'one',
      max_depth: 0,
      rate_limit_rps: 1.0,
      respect_robots_txt: true,
      headers: {},
      extraction_strategy: 'markdown',
      chunking_strategy: 'sliding_window',
      chunk_size: 512,
      chunk_overlap: 50,
      min_chunk_size: 50,
      page_timeout_ms: 30_000,
      max_page_size_mb: 50,
      max_redirects: 10,
    },
    201,
  ],
  [
    'CrawlSource',
    'POST',
    '/sources',
    {
      name: 'one',
      url_pattern: SITE,
      crawl_config_id: null,
      collection_id: null,
      schedule_cron: '0 */6 * * *',
      is_active: true,
    },
    201,
  ],
  [
    'DomainSettings',
    'PUT',
    '/domains/example.com',
    { rate_limit_rps: 1.0, circuit_breaker_threshold: 5, circuit_breaker_timeout_s: 300, is_blocked: false },
    200,
  ],
  [
    'ProxyConfig',
    'POST',
    '/proxies',
    {
      name: 'one',
      servers: [{ url: 'http://proxy.example.com:8080', username: 'u', password: 'p' }],
      rotation_strategy: 'round_robin',
      is_active: false,
    },
    201,
  ],
];

/** These end in a browser or in an index, which are not here: only that they are understood shows. */
const UNDERSTOOD: [model: string, path: string, body: object][] = [
  [
    'SearchRequest',
    '/search',
    {
      query: 'words',
      ...FILTERS,
      min_score: 0.0,
      use_reranker: false,
      expand_chunks: false,
      limit: 10,
      cursor: null,
    },
  ],
  [
    'SearchConfig',
    '/search',
    {
      query: 'words',
      filters: { ...FILTERS, source_types: ['crawl'] },
      min_score: 0.0,
      use_reranker: false,
      rerank_top_n: 20,
      expand_chunks: false,
      rrf_k: 60,
      vector_weight: 1.0,
      keyword_weight: 1.0,
      limit: 10,
      cursor: null,
    },
  ],
  ['ScreenshotRequest', '/screenshot', { url: SITE, wait_for: null, wait_seconds: 2.0, full_page: true }],
  ['PDFRequest', '/pdf', { url: SITE, wait_for: null, wait_seconds: 2.0 }],
  ['ExecuteJSRequest', '/execute-js', { url: SITE, scripts: ['1'], wait_for: null }],
];

describe('models of the design', () => {
  let api: TestApi;
  before(async () => {
    const embedder = { model: 'any', maxTokens: 8_192 } as never;
    api = await createTestApi({ guard: createGuard([]), embedder });
  });
  after(() => api[Symbol.asyncDispose]());

  for (const [model, method, path, body, status] of MODELS)
    it(`${method} ${path} takes a ${model}`, async () => {
      const answer = await api.call(method, path, body);
      assert.equal(answer.status, status, answer.text);
      if (path.startsWith('/crawl') || path === '/discover') assert.equal(answer.body.job_id, answer.body.id);
    });

  for (const [model, path, body] of UNDERSTOOD)
    it(`POST ${path} takes a ${model}`, async () => {
      const answer = await api.call('POST', path, body);
      assert.notEqual(answer.status, 400, answer.text);
    });

  it('other names say what they say', async () => {
    const deep = await api.call('POST', '/crawl/deep', { root_url: 'https://example.org/start' });
    assert.deepEqual(deep.body.urls, ['https://example.org/start']);
    const optionsOf = async (name: string, fields: object) =>
      (await api.call('POST', '/configs', { name, ...fields })).body.options;
    assert.equal((await optionsOf('structured', { extraction_strategy: 'structured' })).products, true);
    assert.equal((await optionsOf('raw', { extraction_strategy: 'raw' })).only_main_content, false);
    const own = { extraction_strategy: 'raw', only_main_content: true };
    assert.equal((await optionsOf('own', own)).only_main_content, true);
    const { items } = (await api.call('GET', '/proxies')).body;
    const [{ url, username, has_password, is_active }] = items;
    assert.deepEqual([url, username, has_password, is_active], ['http://proxy.example.com:8080', 'u', true, false]);
    const batch = await api.call('POST', '/crawl/batch', { urls: [SITE] });
    assert.deepEqual(batch.body.jobs, [{ job_id: batch.body.id, status: batch.body.status }]);
  });

  it('what does not fit under another name is refused by that name', async () => {
    const server = { url: 'http://proxy.example.com:8080' };
    for (const [path, body, field] of [
      ['/crawl/deep', { url: SITE, root_url: SITE }, 'body.root_url'],
      ['/crawl/deep', {}, 'body.url'],
      ['/configs', { name: 'x', extraction_strategy: 'magic' }, 'body.extraction_strategy'],
      ['/proxies', { name: 'x', servers: [server, server] }, 'body.servers'],
      ['/proxies', { name: 'x', servers: [{ url: 'nowhere' }] }, 'body.servers.0.url'],
      ['/proxies', { name: 'x', servers: [server], rotation_strategy: 'random' }, 'body.rotation_strategy'],
      ['/search', { query: 'x', filters: { date_to: true } }, 'body.filters.date_to'],
    ] as const) {
      const { status, body: said, text } = await api.call('POST', path, body);
      assert.equal(status, 400, text);
      assert.ok(field in said.details, text);
    }
  });
});
