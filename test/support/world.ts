import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { App } from '../../src/app.ts';
import { PRODUCTS } from '../../src/demo/products.ts';
import { type DemoSite, startDemoSite } from '../../src/demo/server.ts';
import { createApiKey } from '../../src/operations/access/create-api-key.ts';
import { createLoginLink } from '../../src/operations/access/create-login-link.ts';
import { ensureFirstAdmin } from '../../src/operations/access/ensure-first-admin.ts';
import { createIndexer } from '../../src/pipeline/index/indexer.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { fillExample } from '../../src/surfaces/http/examples.ts';
import type { Route } from '../../src/surfaces/http/route.ts';
import { createServer } from '../../src/surfaces/http/server.ts';
import { createGuard, type Guard } from '../../src/web/guard.ts';
import { recordingLog, refuseUndeclared, type TestApi } from './api.ts';
import { createEngine, type Engine, eventually } from './engine.ts';
import { storedThings } from './stored-things.ts';

/** An installation that holds one of everything: what the examples of the API document and fuzzers need real ids of. */
export interface World extends AsyncDisposable {
  app: App;
  server: FastifyInstance;
  site: DemoSite;
  key: string;
  logged: TestApi['logged'];
  /** Sends with the key of an admin. */
  send(options: InjectOptions): Promise<{ status: number; headers: Record<string, unknown>; text: string }>;
  /** The body of an answer below 300; any other fails. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  ok(method: string, path: string, body?: unknown): Promise<any>;
  /** The example of a route with real ids: each thing it names is made for it. */
  fill(entry: Route): Promise<{ url: string; method: Route['method']; body: unknown }>;
  /** Makes a thing, or finds one, and returns its id. */
  make(thing: string): Promise<string>;
}

const PAGES = 12;

/** Nothing leaves this machine, not even a query for a name. */
function loopbackOnly(): Guard {
  const { checkUrl, checkAddress } = createGuard(['127.0.0.0/8']);
  const outside = { allowed: false, reason: 'only loopback is allowed here' } as const;
  return {
    checkUrl: (url) => (/^127\.[\d.]+$/.test(url.hostname) ? checkUrl(url) : outside),
    checkAddress: (address, host, port) => (address.startsWith('127.') ? checkAddress(address, host, port) : outside),
  };
}

export async function createWorld(settings: Record<string, string> = {}): Promise<World> {
  const logged: TestApi['logged'] = [];
  const site = await startDemoSite();
  const engine = await createEngine(
    { FEATURES__MAX_CONCURRENT_DEEP_CRAWLS: '0', ...settings },
    { log: recordingLog(logged), guard: loopbackOnly() },
  );
  const { app } = engine;
  const server = createServer(app);
  const admin = (await ensureFirstAdmin(app))!;
  const [person] = await engine.database.query<{ id: string }>('SELECT id FROM users');
  const unlimited = { name: 'world', scopes: ['admin' as const], rate_limit_rpm: 10_000_000 };
  const { key } = await createApiKey(app, unlimited, person!.id);
  const send: World['send'] = async (request) => {
    const answer = await server.inject({ ...request, headers: { authorization: `Bearer ${key}`, ...request.headers } });
    return { status: answer.statusCode, headers: answer.headers, text: answer.payload };
  };
  const ok: World['ok'] = async (method, path, body) => {
    const payload = body === undefined ? {} : { payload: body as object };
    const answer = await send({ method: method as 'GET', url: `/api/v1${path}`, ...payload });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.text === '' ? undefined : JSON.parse(answer.text);
  };
  await crawlSite(engine, site, ok);

  const makers = makersOf({ app, site, ok, admin, database: engine.database });
  const fill: World['fill'] = async (entry) => {
    const things = new Set<string>();
    fillExample(entry, (thing) => {
      things.add(thing);
      return thing;
    });
    const made = new Map<string, string>();
    const make = async (thing: string): Promise<string> => {
      const maker = makers[thing];
      if (maker === undefined)
        throw new Error(`${entry.id}: nothing makes a {${thing}}; add it to test/support/world.ts`);
      if (!made.has(thing)) made.set(thing, await maker(make));
      return made.get(thing)!;
    };
    for (const thing of things) await make(thing);
    const { params, query, body } = fillExample(entry, (thing) => made.get(thing)!);
    const path = entry.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
    const search = new URLSearchParams(query).toString();
    return { url: `/api/v1${path}${search === '' ? '' : `?${search}`}`, method: entry.method, body };
  };
  return {
    app,
    server,
    site,
    key,
    logged,
    send,
    ok,
    fill,
    make: (thing) => makers[thing]!((other) => makers[other]!(() => Promise.reject(new Error(other)))),
    async [Symbol.asyncDispose]() {
      await server.close();
      await engine[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      refuseUndeclared(logged);
    },
  };
}

/** Pages, documents, products, tasks and events, as a crawl leaves them; then no worker runs any more. */
async function crawlSite(engine: Engine, site: DemoSite, ok: World['ok']): Promise<void> {
  const stop = engine.run(runWorker);
  const urls = ['/', ...PRODUCTS.slice(0, 3).map(({ slug }) => `/shop/${slug}`)].map((path) => `${site.origin}${path}`);
  const { id } = await ok('POST', '/crawl', { urls, options: { max_depth: 1, max_pages: PAGES } });
  await eventually(
    () => ok('GET', `/crawl/${id}`),
    ({ status }) => status === 'completed',
  );
  await stop();
  await createIndexer(engine.app).drain();
}

interface Means {
  app: App;
  database: App['database'];
  site: DemoSite;
  ok: World['ok'];
  admin: { email: string; password: string };
}
type Make = (thing: string) => Promise<string>;
type Invited = { id: string; invite: { path: string } };

function makersOf({ app, database, site, ok, admin }: Means): Record<string, (make: Make) => Promise<string>> {
  let number = 0;
  const next = () => String((++number % 250) + 1);
  const crawl = async () => (await ok('POST', '/crawl', { urls: [`${site.origin}/?n=${++number}`] })).id;
  const taskOf = async (crawlId: string) => (await ok('GET', `/crawl/${crawlId}/tasks`)).items[0].id;
  const task = async () => taskOf(await crawl());
  const first = async (path: string) => (await ok('GET', path)).items[0].id;
  const document = async (over: object = {}) =>
    (await ok('POST', '/documents', { content: `# Note ${++number}\n\nWords to read.`, ...over })).id;
  const proxy = async () => (await ok('POST', '/proxies', { name: `p${++number}`, url: proxyUrl() })).id;
  const proxyUrl = () => `http://127.0.0.1:${20_000 + ++number}`;
  const discovery = async () => (await ok('POST', '/discover', { domain: site.origin })).id;
  const stored = storedThings(app);
  const invite = async () => (await ok('POST', '/users', { email: `u${++number}@example.com` })) as Invited;
  const spareDomain = async () => {
    const domain = `spare-${++number}.example`;
    await ok('PUT', `/domains/${domain}`, {});
    return domain;
  };
  return {
    site: async () => site.origin,
    domain: async () => `127.0.0.1:${site.port}`,
    number: async () => next(),
    spare_domain: spareDomain,
    crawl,
    paused_crawl: async () => (await ok('POST', `/crawl/${await crawl()}/pause`)).id,
    task,
    paused_task: async () => (await ok('POST', `/tasks/${await task()}/pause`)).id,
    done_task: () => first('/tasks?status=completed&limit=1'),
    page: () => first('/pages?status=fetched&limit=1'),
    changed_page: async () => {
      const [row] = await database.query<{ page_id: string }>(
        `WITH changed AS (
           UPDATE documents SET version = version + 1, content = content || E'\nMore words.'
           WHERE id = (SELECT id FROM documents WHERE page_id IS NOT NULL LIMIT 1) RETURNING id, page_id, version, content_hash)
         INSERT INTO document_versions (document_id, version, title, content, content_hash, fetched_at)
         SELECT id, version - 1, 'Before', 'Words.', content_hash, now() FROM changed
         RETURNING (SELECT page_id FROM changed)`,
      );
      return row!.page_id;
    },
    stored_page: () => first('/pages?status=fetched&limit=1'),
    product: () => first('/products?limit=1'),
    image: async (make) => stored.image(await make('product')),
    filed_document: async () => {
      const id = await document();
      await stored.file(id);
      return id;
    },
    user: async () => (await invite()).id,
    invite_token: async () => (await invite()).invite.path.replace('/login#invite=', ''),
    session: async (make) => stored.session(await make('user')),
    key: async () => (await ok('POST', '/auth/keys', { name: `own ${++number}` })).id,
    capture: () => stored.capture(),
    alert: () => stored.alert(),
    silence: async () => (await ok('POST', '/alerts/silences', { kind: `rule ${++number}` })).id,
    export: async () => (await ok('POST', '/exports', { format: 'jsonl' })).id,
    import: async () => stored.import(await crawl()),
    document: () => document(),
    deleted_document: async () => {
      const id = await document();
      await ok('DELETE', `/documents/${id}`);
      return id;
    },
    tagged_document: () => document({ tags: [`tag ${++number}`] }),
    tag_of_document: async (make) => (await ok('GET', `/documents/${await make('tagged_document')}`)).tags[0].id,
    collection: async () => (await ok('POST', '/collections', { name: `collection ${++number}` })).id,
    tag: async () => (await ok('POST', '/tags', { name: `tag ${++number}` })).id,
    config: async () => (await ok('POST', '/configs', { name: `config ${++number}` })).id,
    source: async () => (await ok('POST', '/sources', { name: `source ${++number}`, url: `${site.origin}/docs/` })).id,
    webhook: async (make) =>
      (await ok('POST', `/sources/${await make('source')}/webhooks`, { url: `${site.origin}/hook` })).id,
    delivery: async (make) => (await ok('POST', `/webhooks/${await make('webhook')}/test`)).id,
    proxy,
    proxy_url: async () => proxyUrl(),
    proxied_domain: spareDomain,
    assigned_proxy: async (make) => {
      const id = await proxy();
      await ok('POST', `/domains/${await make('proxied_domain')}/proxies`, { proxy_ids: [id] });
      return id;
    },
    job: discovery,
    discover: discovery,
    failed_job: async () => {
      const id = await discovery();
      await database.query(`UPDATE jobs SET status = 'failed', completed_at = now() WHERE id = $1`, [id]);
      return id;
    },
    api_key: async () => (await ok('POST', '/api-keys', { name: `key ${++number}`, scopes: ['read'] })).id,
    token: async () => {
      const [reference = ''] = await app.blobs.put([Buffer.from('what a link leads to')]);
      const link = await app.blobs.link({ reference, name: 'note.txt', contentType: 'text/plain' }, 60);
      return link.split('/').at(-1)!;
    },
    email: async () => admin.email,
    password: async () => admin.password,
    login_token: async () => (await createLoginLink(app)).replace('/login#token=', ''),
  };
}

/** Follows a stream for a moment only: it has no end. */
export async function openStream(world: World, path: string): Promise<{ status: number; type: string | null }> {
  if (!world.server.server.listening) {
    void world.server.listen({ host: '127.0.0.1', port: 0 });
    await once(world.server.server, 'listening');
  }
  const { port } = world.server.server.address() as { port: number };
  const stop = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${world.key}` },
    signal: stop.signal,
  });
  stop.abort();
  return { status: answer.status, type: answer.headers.get('content-type') };
}
