import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createApiKey } from '../../../src/operations/access/create-api-key.ts';
import { ensureFirstAdmin } from '../../../src/operations/access/ensure-first-admin.ts';
import type { Blobs } from '../../../src/ports/blobs.ts';
import type { Route } from '../../../src/surfaces/http/route.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { type Answer, createTestApi, type TestApi } from '../../support/api.ts';
import { createTestBlobs } from '../../support/blobs.ts';
import { createHashEmbedder } from '../../support/index-app.ts';
import { storedThings } from '../../support/stored-things.ts';
import { makeThings, type Things } from '../../support/things.ts';

/**
 * Every route × every kind of caller, each answer computed from what the route declares. A new route is in the walk by itself; one that
 * names something new, or keeps to collections by its own means (`scoped`), fails here until the tables below know it.
 */
const HOLDS = { public: [], read: ['read', 'write', 'admin'], write: ['write', 'admin'], admin: ['admin'] };
const VIEWER = '01920000-0000-7000-8000-000000000001';

/** Bodies that fit, for routes that look something up only after they have read their body. */
const BODIES: Record<string, (things: Things) => object> = {
  prioritiseCrawl: () => ({ priority: 5 }),
  prioritiseTask: () => ({ priority: 5 }),
  moveDocument: ({ collection }) => ({ collection_id: collection }),
  tagDocument: () => ({ tags: ['thing'] }),
  updateCollection: () => ({ name: 'mine' }),
  updateApiKey: () => ({ name: 'thing' }),
  setUserQuotas: () => ({ max_open_crawls: null, max_pages_per_day: null }),
};

/** A scoped route asked, by a key of the other collection, for what is in the first: what it sends, and what must come. */
const SCOPED: Record<
  string,
  { body?: (things: Things) => object; query?: (things: Things) => string; status: number }
> = {
  startCrawl: { body: ({ collection }) => ({ urls: ['https://a.example/'], collection_id: collection }), status: 403 },
  startBatch: { body: ({ collection }) => ({ urls: ['https://a.example/'], collection_id: collection }), status: 403 },
  startDeepCrawl: { body: ({ collection }) => ({ url: 'https://a.example/', collection_id: collection }), status: 403 },
  search: { body: ({ collection }) => ({ query: 'things', collection_ids: [collection] }), status: 403 },
  searchByVector: { body: ({ collection }) => ({ query: 'things', collection_ids: [collection] }), status: 403 },
  searchByKeyword: { body: ({ collection }) => ({ query: 'things', collection_ids: [collection] }), status: 403 },
  uploadDocument: { body: ({ collection }) => ({ content: 'x', collection_id: collection }), status: 403 },
  uploadDocuments: {
    body: ({ collection }) => ({ documents: [{ content: 'x', collection_id: collection }] }),
    status: 201,
  },
  // Lists answer, and hold nothing of the other collection.
  listCrawls: { status: 200 },
  listDocuments: { query: ({ collection }) => `?collection_id=${collection}`, status: 200 },
  listCollections: { status: 200 },
};

describe('every route and every caller', () => {
  let api: TestApi;
  let things: Things;
  let blobs: Blobs;
  let ownSession: string;
  let minute = 0;
  const headers: Record<string, Record<string, string>> = { nobody: {} };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  before(async () => {
    // Each look at the clock is another minute, so that limits do not meet.
    const now = () => ++minute * 60_000;
    blobs = await createTestBlobs();
    api = await createTestApi({ blobs, guard: createGuard([]), embedder: createHashEmbedder() }, { now });
    const { database } = api.app;
    const admin = (await ensureFirstAdmin(api.app))!;
    for (const [id, email, active] of [
      [VIEWER, 'viewer@example.com', true],
      ['01920000-0000-7000-8000-000000000002', 'gone@example.com', false],
    ])
      await database.query(
        `INSERT INTO users (id, email, password_hash, role, is_active) SELECT $1, $2, password_hash, 'viewer', $3 FROM users WHERE email = $4`,
        [id, email, active, admin.email],
      );
    things = await makeThings(api);
    const make = (name: string, over: object = {}, userId?: string) =>
      createApiKey(api.app, { name, scopes: ['admin'], rate_limit_rpm: 100_000, ...over }, userId);
    const revoked = await make('revoked');
    await api.ok('DELETE', `/api-keys/${revoked.id}`, undefined, 204);
    const off = await make('switched off');
    await api.ok('PATCH', `/api-keys/${off.id}`, { is_active: false });
    headers.revoked = bearer(revoked.key);
    headers['switched off'] = bearer(off.key);
    headers.expired = bearer((await make('expired', { expires_at: '2020-01-01T00:00:00Z' })).key);
    headers['of nobody any more'] = bearer((await make('orphan', {}, '01920000-0000-7000-8000-000000000002')).key);
    headers.read = bearer(api.keys.read);
    headers.write = bearer(api.keys.write);
    headers.bound = bearer((await make('bound', { collections: [things.otherCollection] })).key);
    headers['key of a viewer'] = bearer((await make('too wide', {}, VIEWER)).key);
    things.ids.users = VIEWER;
    const stored = storedThings(api.app);
    things.ids.sessions = await stored.session(VIEWER);
    const [person] = await database.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [admin.email]);
    ownSession = await stored.session(person!.id);
    for (const [name, email] of [
      ['viewer', 'viewer@example.com'],
      ['admin', admin.email],
    ] as const)
      headers[name] = sessionOf(
        await api.send({ method: 'POST', url: '/api/v1/auth/login', payload: { email, password: admin.password } }),
      );
    const own = await api.send({
      method: 'POST',
      url: '/api/v1/auth/keys',
      headers: headers.admin!,
      payload: { name: 'of the admin' },
    });
    assert.equal(own.status, 201, own.text);
    things.ids.keys = own.body.id;
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    await blobs[Symbol.asyncDispose]();
  });

  const urlOf = ({ path }: Route) =>
    `/api/v1${path.replace(/([\w-]+)\/:\w+/g, (_, before: string) => {
      const own = path === '/auth/sessions/:id' ? ownSession : things.ids[before];
      const id = before === 'blobs' ? 'no-link' : own;
      assert.ok(id, `${path}: makeThings (test/support/things.ts) makes nothing for ${before}/:id`);
      return `${before}/${id}`;
    })}`;

  const ask = (route: Route, caller: string, over: { body?: object; query?: string } = {}) => {
    const payload = over.body ?? BODIES[route.id]?.(things) ?? (route.body === undefined ? undefined : {});
    return api.send({
      method: route.method,
      url: urlOf(route) + (over.query ?? ''),
      headers: headers[caller]!,
      ...(payload === undefined ? {} : { payload }),
    });
  };

  /** Answers of 401 and 403 come before anything is read; everything else is for the other tests. */
  const refuses = async (caller: string, expected: (route: Route) => number | undefined) => {
    let refused = 0;
    for (const route of ROUTES) {
      const status = expected(route);
      if (status === undefined) continue;
      const answer = await ask(route, caller);
      assert.equal(answer.status, status, `${route.method} ${route.path} by ${caller}: ${answer.text}`);
      refused++;
    }
    assert.ok(refused > 0);
  };
  const mayWith =
    (scope: string) =>
    ({ access }: Route) =>
      access === 'public' || HOLDS[access].includes(scope) ? undefined : 403;

  it('nobody', () => refuses('nobody', ({ access }) => (access === 'public' ? undefined : 401)));

  // A wrong key is never taken for nobody: also public routes refuse it, but for the probes and links that look at no caller.
  for (const caller of ['revoked', 'expired', 'switched off', 'of nobody any more'])
    it(`a key that is ${caller}`, () =>
      refuses(caller, ({ access, limit }) => (access === 'public' && limit === 'none' ? undefined : 401)));

  it('a key that may read', () => refuses('read', mayWith('read')));
  it('a key that may write', () => refuses('write', mayWith('write')));
  it('a viewer who is logged in', () => refuses('viewer', mayWith('read')));
  it('a key of a viewer, whatever scopes it was made with', () => refuses('key of a viewer', mayWith('read')));

  it('a bound key, where it is refused or asks for things of another collection', () =>
    refuses('bound', ({ bound }) => {
      if (bound === 'open' || bound === 'scoped') return undefined;
      return bound === 'refused' ? 403 : 404;
    }));

  it('a bound key, where it is let in: it gets nothing of another collection', async () => {
    const scoped = ROUTES.filter(({ bound }) => bound === 'scoped');
    for (const route of scoped) {
      const expected = SCOPED[route.id];
      assert.ok(expected, `${route.id} keeps to collections by itself: say in SCOPED what it answers`);
      const over = {
        ...(expected.body && { body: expected.body(things) }),
        ...(expected.query && { query: expected.query(things) }),
      };
      const answer = await ask(route, 'bound', over);
      assert.equal(answer.status, expected.status, `${route.id}: ${answer.text}`);
      if (answer.status === 403) assert.match(answer.text, new RegExp(things.collection), 'it says which one');
      else
        for (const id of [things.collection, things.ids.crawl!, things.ids.documents!])
          assert.ok(!answer.text.includes(`"id":"${id}"`), `${route.id}: ${answer.text}`);
      if (route.id === 'uploadDocuments') assert.equal(answer.body.documents[0].code, 'FORBIDDEN');
    }
    assert.deepEqual(Object.keys(SCOPED).sort(), scoped.map(({ id }) => id).sort());
    const lists = await ask(ROUTES.find(({ id }) => id === 'listCollections')!, 'bound');
    assert.deepEqual(
      lists.body.items.map(({ id }: { id: string }) => id),
      [things.otherCollection],
    );
  });

  it('things of another person are not found', async () => {
    const owned = ROUTES.filter(({ path }) => path.startsWith('/auth/') && path.includes('/:'));
    assert.ok(owned.length > 0);
    for (const route of owned)
      for (const caller of route.path.includes('sessions') ? ['viewer'] : ['viewer', 'key of a viewer'])
        assert.equal((await ask(route, caller)).body?.code, 'NOT_FOUND', `${route.method} ${route.path} by ${caller}`);
  });

  // Last: it changes and deletes. What was refused above was there, and the same request is taken from an admin.
  it('an admin gets through everywhere, so nothing above was refused for want of the thing itself', async () => {
    const rank = ({ id, method, path }: Route) =>
      id === 'logOut' ? 100 : id === 'resetPassword' ? 48 : method === 'DELETE' ? 50 - path.length / 10 : 0;
    for (const route of ROUTES.toSorted((a, b) => rank(a) - rank(b))) {
      // It would not end, and names nothing that could be missing.
      if (route.stream === 'text/event-stream' && !route.path.includes(':')) continue;
      if (route.path === '/blobs/:token') continue;
      // There is no provider here.
      if (route.path.startsWith('/auth/oidc/')) continue;
      if (route.stream === 'text/event-stream') await api.ok('POST', `/crawl/${things.ids.crawl}/cancel`);
      const answer = await ask(route, 'admin');
      assert.ok(![401, 403, 404].includes(answer.status), `${route.method} ${route.path}: ${answer.text}`);
    }
  });
});

/** Both halves of the session a login gave out. */
function sessionOf(answer: Answer): Record<string, string> {
  assert.equal(answer.status, 200, answer.text);
  return {
    cookie: String(answer.headers['set-cookie']).split(';', 1)[0]!,
    'x-session-key': String(answer.body.session_key),
  };
}
