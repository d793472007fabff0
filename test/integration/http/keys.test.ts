import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { EventRow } from '../../../src/db/events/read-events.ts';
import { newId } from '../../../src/ids.ts';
import { limitScopes, mayAccess, type Scope, scopesOfRole } from '../../../src/operations/access/caller.ts';
import { createApiKey } from '../../../src/operations/access/create-api-key.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { eventually } from '../../support/engine.ts';
import { readLog } from '../../support/events.ts';

const SCOPES: Scope[] = ['read', 'write', 'admin'];

it('a key of a person never does more than the person, and no less than both allow', () => {
  const some = fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 });
  fc.assert(
    fc.property(some, fc.constantFrom('viewer' as const, 'operator' as const, 'admin' as const), (own, role) => {
      const may = (scopes: Scope[], scope: Scope) => mayAccess({ kind: 'key', name: '', scopes, rpm: 1 }, scope);
      for (const scope of SCOPES)
        assert.equal(may(limitScopes(own, role), scope), may(own, scope) && may(scopesOfRole(role), scope));
    }),
  );
});

describe('API keys', () => {
  let api: TestApi;
  let person: string;
  before(async () => {
    api = await createTestApi();
    person = await addUser('reader@example.com');
  });
  after(() => api[Symbol.asyncDispose]());

  const addUser = async (email: string, role = 'viewer') => {
    const id = newId();
    await api.app.database.query('INSERT INTO users (id, email, password_hash, role) VALUES ($1, $2, $3, $4)', [
      id,
      email,
      'none',
      role,
    ]);
    return id;
  };
  const as = (key: string) => ({ authorization: `Bearer ${key}` });
  const keyOf = (userId: string | undefined, over: object = {}) =>
    createApiKey(api.app, { name: 'k', scopes: ['read'], rate_limit_rpm: 1_000, ...over }, userId);
  const lastAction = async () => {
    const actions = (await readLog(api.app.database)).filter(({ kind }) => kind === 'admin.action');
    return actions.at(-1) as Extract<EventRow, { kind: 'admin.action' }>;
  };

  it('say whose they are, what they are bound to and what they may use', async () => {
    const collection = (await api.ok('POST', '/collections', { name: 'shown' }, 201)).id;
    const { id, key } = await keyOf(person, { collections: [collection], max_open_crawls: 3 });
    const shown = await api.ok('GET', `/api-keys/${id}`);
    assert.deepEqual(shown.owner, { id: person, email: 'reader@example.com' });
    assert.deepEqual([shown.collections, shown.max_open_crawls, shown.max_pages_per_day], [[collection], 3, null]);
    assert.ok(!JSON.stringify(shown).includes(key));
    const me = await api.call('GET', '/auth/me', undefined, as(key));
    assert.deepEqual(me.body.collections, [collection]);
    assert.equal((await api.ok('GET', '/auth/me')).collections, null);
  });

  it('are listed by owner, and by whether they work', async () => {
    const someone = await addUser('someone@example.com');
    const works = await keyOf(someone);
    const expired = await keyOf(someone, { expires_at: '2020-01-01T00:00:00Z' });
    const off = await keyOf(someone);
    await api.ok('PATCH', `/api-keys/${off.id}`, { is_active: false });
    const list = async (query: string) =>
      (await api.ok('GET', `/api-keys?owner=${someone}${query}`)).items.map(({ id }: { id: string }) => id);
    assert.deepEqual(await list(''), [off.id, expired.id, works.id]);
    assert.deepEqual(await list('&active=true'), [works.id]);
    assert.deepEqual(await list('&active=false'), [off.id, expired.id]);
    await api.app.database.query('UPDATE users SET is_active = false WHERE id = $1', [someone]);
    assert.deepEqual(await list('&active=true'), []);
  });

  it('are changed field by field, at once, and the trail says from what to what', async () => {
    const collection = (await api.ok('POST', '/collections', { name: 'changed' }, 201)).id;
    const { id, key } = await keyOf(undefined, { expires_at: '2099-01-01T00:00:00Z' });
    const change = (body: object) => api.ok('PATCH', `/api-keys/${id}`, body);
    const changed = await change({ collections: [collection, collection.toUpperCase()], max_pages_per_day: 10 });
    assert.deepEqual([changed.collections, changed.max_pages_per_day, changed.name], [[collection], 10, 'k']);
    assert.equal(changed.expires_at, '2099-01-01T00:00:00.000Z', 'what is absent stays');
    const { actor, data } = await lastAction();
    assert.match(actor, /^key:/);
    assert.deepEqual(
      [data.operation, data.before, data.after],
      [
        'updateApiKey',
        { collections: [], max_pages_per_day: null },
        { collections: [collection], max_pages_per_day: 10 },
      ],
    );
    const back = await change({ collections: [], max_pages_per_day: null, expires_at: null, rate_limit_rpm: 7 });
    assert.deepEqual([back.collections, back.max_pages_per_day, back.expires_at], [[], null, null]);
    const used = await api.call('GET', '/tags', undefined, as(key));
    assert.equal(used.headers['ratelimit-policy'], '"default";q=7;w=60');
    await change({ is_active: false });
    assert.equal((await api.call('GET', '/tags', undefined, as(key))).status, 401);
    await api.ok('DELETE', `/api-keys/${id}`, undefined, 204);
    const gone = (await lastAction()).data;
    assert.deepEqual([gone.operation, gone.before?.id, gone.after], ['revokeApiKey', id, null]);
    await api.ok('PATCH', `/api-keys/${id}`, { name: 'x' }, 404);
    assert.ok(!JSON.stringify(await readLog(api.app.database)).includes(key));
  });

  it('are bound to collections that are there', async () => {
    const body = { name: 'x', collections: [newId()] };
    assert.equal((await api.call('POST', '/api-keys', body)).body.code, 'NOT_FOUND');
    const { id } = await keyOf(undefined);
    assert.equal((await api.call('PATCH', `/api-keys/${id}`, { collections: [newId()] })).body.code, 'NOT_FOUND');
    for (const bad of [
      { max_open_crawls: -1 },
      { max_pages_per_day: 1.5 },
      { max_pages_per_day: 2 ** 40 },
      { scopes: ['admin'] },
    ])
      assert.equal((await api.call('PATCH', `/api-keys/${id}`, bad)).status, 400, JSON.stringify(bad));
  });

  it('end with the login of their owner, and come back with it', async () => {
    const owner = await addUser('leaving@example.com');
    const { key } = await keyOf(owner);
    const use = async () => (await api.call('GET', '/tags', undefined, as(key))).status;
    const switchOwner = (to: boolean) =>
      api.app.database.query('UPDATE users SET is_active = $2 WHERE id = $1', [owner, to]);
    assert.equal(await use(), 200);
    // The notice of a change that came from elsewhere takes a moment.
    await switchOwner(false);
    await eventually(use, (status) => status === 401);
    await switchOwner(true);
    await eventually(use, (status) => status === 200);
  });

  it('belong to the person who makes them, also by a key', async () => {
    const admin = await addUser('boss@example.com', 'admin');
    const { key } = await keyOf(admin, { scopes: ['admin'] });
    const made = await api.call('POST', '/api-keys', { name: 'child' }, as(key));
    assert.equal(made.body.owner.id, admin);
    assert.equal((await api.ok('POST', '/api-keys', { name: 'of nobody' }, 201)).owner, null);
  });

  describe('of one’s own', () => {
    let mine: string;
    before(async () => {
      mine = (await keyOf(person, { expires_at: '2090-01-01T00:00:00Z', max_open_crawls: 4, rate_limit_rpm: 90 })).key;
    });
    const own = (method: string, path = '', body?: object, key = mine) =>
      api.call(method, `/auth/keys${path}`, body, as(key));

    it('are made, listed, shown and revoked, and are in the trail without the key', async () => {
      const made = await own('POST', '', { name: 'laptop' });
      assert.equal(made.status, 201, made.text);
      const { data } = await lastAction();
      assert.deepEqual([data.operation, data.after?.name, data.after?.scopes], ['createOwnKey', 'laptop', ['read']]);
      assert.ok(!JSON.stringify(data).includes(made.body.key));
      const listed = (await own('GET', '?active=true')).body.items;
      assert.ok(listed.every(({ owner }: { owner: { id: string } }) => owner.id === person));
      assert.equal(listed[0].id, made.body.id);
      assert.equal((await own('GET', `/${made.body.id}`)).body.name, 'laptop');
      assert.equal((await own('DELETE', `/${made.body.id}`)).status, 204);
      assert.equal((await lastAction()).data.before?.name, 'laptop');
      assert.equal((await api.call('GET', '/tags', undefined, as(made.body.key))).status, 401);
    });

    it('are never wider than who makes them', async () => {
      const narrow = (await own('POST', '', { name: 'same' })).body;
      assert.deepEqual(
        [narrow.scopes, narrow.expires_at, narrow.max_open_crawls, narrow.rate_limit_rpm],
        [['read'], '2090-01-01T00:00:00.000Z', 4, 60],
      );
      for (const wider of [
        { scopes: ['write'] },
        { scopes: ['read', 'admin'] },
        { expires_at: '2091-01-01T00:00:00Z' },
        { rate_limit_rpm: 91 },
        { max_open_crawls: 5 },
        { max_open_crawls: 0 },
      ]) {
        const answer = await own('POST', '', { name: 'wider', ...wider });
        assert.equal(answer.body.code, 'FORBIDDEN', `${JSON.stringify(wider)}: ${answer.text}`);
        assert.match(answer.body.details.field, /^body\./);
      }
      assert.equal((await own('POST', '', { name: 'fine', max_open_crawls: 4, rate_limit_rpm: 90 })).status, 201);
    });

    it('are nobody’s else: those of others are not found, and a key of nobody has none', async () => {
      const other = await keyOf(await addUser('other@example.com'));
      for (const method of ['GET', 'DELETE']) assert.equal((await own(method, `/${other.id}`)).status, 404);
      assert.equal((await api.call('GET', '/tags', undefined, as(other.key))).status, 200, 'it still works');
      assert.deepEqual((await own('GET', '', undefined, api.keys.read)).body.items, []);
      assert.equal((await own('GET', `/${other.id}`, undefined, api.keys.admin)).status, 404);
      assert.equal((await own('POST', '', { name: 'x' }, api.keys.read)).body.code, 'FORBIDDEN');
    });
  });

  it('quotas of a person are set by admins, and are in the trail', async () => {
    const path = `/users/${person}/quotas`;
    const set = await api.ok('PUT', path, { max_open_crawls: 2, max_pages_per_day: null });
    assert.deepEqual([set.max_open_crawls, set.in_force.open_crawls.limit], [2, 2]);
    const { data } = await lastAction();
    assert.deepEqual([data.before?.max_open_crawls, data.after?.max_open_crawls], [null, 2]);
    assert.equal((await api.ok('GET', path)).max_pages_per_day, null);
    await api.ok('GET', `/users/${newId()}/quotas`, undefined, 404);
  });

  it('the trail is for admins: viewers, operators and bound keys see none of it', async () => {
    const collection = (await api.ok('POST', '/collections', { name: 'trail' }, 201)).id;
    const seen = async (key: string) => {
      const answer = await api.call('GET', '/events?kinds=admin.action', undefined, as(key));
      return answer.status === 200 ? answer.body.items.length : answer.body.code;
    };
    const viewer = await keyOf(person, { scopes: ['admin'] });
    const bound = await keyOf(undefined, { scopes: ['admin'], collections: [collection] });
    assert.deepEqual([await seen(viewer.key), await seen(api.keys.write), await seen(bound.key)], [0, 0, 'FORBIDDEN']);
    assert.ok((await seen(api.keys.admin)) > 0);
  });
});
