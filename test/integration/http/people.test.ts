import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createMemoryCache } from '../../../src/drivers/cache/memory.ts';
import { ensureFirstAdmin, type FirstAdmin } from '../../../src/operations/access/ensure-first-admin.ts';
import { startSession } from '../../../src/operations/access/start-session.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { readLog } from '../../support/events.ts';
import { sessionOf } from '../../support/log-in.ts';

const PASSWORD = 'a long enough password';
const NOBODY = '01920000-0000-7000-8000-000000000000';

describe('people', () => {
  let api: TestApi;
  let first: FirstAdmin;
  let minute = 0;
  let names = 0;
  before(async () => {
    const cache = createMemoryCache({ maxMb: 8 });
    api = await createTestApi({ cache }, { now: () => ++minute * 60_000 });
    first = (await ensureFirstAdmin(api.app))!;
  });
  after(() => api[Symbol.asyncDispose]());
  beforeEach(() => api.app.cache.deletePrefix('login:'));

  const tokenOf = (path: string) => /^\/login#(?:invite|reset)=([\w-]{43})$/.exec(path)?.[1] ?? assert.fail(path);
  const post = (path: string, payload: object, headers = {}) =>
    api.send({ method: 'POST', url: `/api/v1${path}`, payload, headers });
  const redeem = (token: string, password = PASSWORD) => post('/auth/invite/redeem', { token, password });
  const logIn = (email: string, password = PASSWORD) => post('/auth/login', { email, password });
  const me = (headers: Record<string, string>) => api.send({ method: 'GET', url: '/api/v1/auth/me', headers });
  const as = (headers: Record<string, string>, method: string, path: string, payload?: object) =>
    api.send({
      method: method as 'GET',
      url: `/api/v1${path}`,
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
  const invite = (role = 'viewer') => api.ok('POST', '/users', { email: `Person${++names}@Example.com`, role }, 201);
  /** A person who has chosen a password, and a session. */
  const join = async (role?: string) => {
    const user = await invite(role);
    const answer = await redeem(tokenOf(user.invite.path));
    assert.equal(answer.status, 200, answer.text);
    return { id: user.id as string, email: user.email as string, session: sessionOf(answer) };
  };
  const firstId = async () => (await api.ok('GET', `/users?email=${first.email}`)).items[0].id as string;

  it('are invited by a link that works once, is shown once, and is not kept', async () => {
    const user = await invite('operator');
    assert.deepEqual([user.role, user.is_active, user.has_password], ['operator', true, false]);
    const days = (new Date(user.invite.expires_at).getTime() - Date.now()) / 86_400_000;
    assert.ok(days > 6.9 && days < 7.1, `${days} days`);
    const token = tokenOf(user.invite.path);
    const shown = JSON.stringify([await api.ok('GET', `/users/${user.id}`), await api.ok('GET', '/users')]);
    const kept = JSON.stringify(await api.app.database.query('SELECT json_agg(l) FROM user_links l'));
    assert.ok(!shown.includes(token) && !kept.includes(token));
    assert.equal((await logIn(user.email)).body.code, 'AUTH_REQUIRED', 'without a password nobody logs in');
    assert.equal((await redeem(token, 'short')).status, 400);
    const answers = await Promise.all(Array.from({ length: 4 }, () => redeem(token)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410, 410]);
    const answer = answers.find(({ status }) => status === 200)!;
    assert.deepEqual(answer.body.user, { id: user.id, email: user.email, role: 'operator' });
    const self = await me(sessionOf(answer));
    assert.deepEqual([self.body.scopes, self.body.rate_limit_rpm], [['write'], 100]);
    assert.equal((await logIn(user.email.toLowerCase())).status, 200);
  });

  it('get a new invite that replaces the old, until they have a password', async () => {
    const user = await invite();
    const renewed = await api.ok('POST', `/users/${user.id}/invite`, undefined, 201);
    assert.equal((await redeem(tokenOf(user.invite.path))).body.code, 'LINK_EXPIRED');
    assert.equal((await redeem(tokenOf(renewed.path))).status, 200);
    assert.equal((await api.call('POST', `/users/${user.id}/invite`)).body.code, 'STATE_CONFLICT');
    assert.equal((await api.call('POST', `/users/${NOBODY}/invite`)).status, 404);
  });

  it('cannot use a link that has expired, or that was never made', async () => {
    const user = await invite();
    await api.app.database.query(`UPDATE user_links SET expires_at = now() - interval '1 s' WHERE user_id = $1`, [
      user.id,
    ]);
    assert.equal((await redeem(tokenOf(user.invite.path))).body.code, 'LINK_EXPIRED');
    assert.equal((await redeem('x'.repeat(43))).body.code, 'LINK_EXPIRED');
    assert.equal((await api.ok('GET', `/users/${user.id}`)).link_expires_at, null);
  });

  it('who guess links are slowed down as at the log-in', async () => {
    const statuses = [];
    for (let tries = 0; tries < 32; tries++) statuses.push((await redeem('x'.repeat(43))).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [410, 429]);
  });

  it('are listed page by page, by role and by whether they are active', async () => {
    const [one, two] = [await invite('operator'), await invite('operator')];
    await api.ok('PATCH', `/users/${two.id}`, { is_active: false });
    const page = await api.ok('GET', '/users?role=operator&limit=1');
    assert.deepEqual([page.items[0].id, page.has_more], [two.id, true]);
    const next = await api.ok('GET', `/users?role=operator&limit=1&cursor=${page.next_cursor}`);
    assert.equal(next.items[0].id, one.id);
    const ids = async (query: string) =>
      (await api.ok('GET', `/users?limit=200&${query}`)).items.map(({ id }: { id: string }) => id);
    assert.ok((await ids('active=false')).includes(two.id) && !(await ids('active=true')).includes(two.id));
    assert.deepEqual(await ids('role=user'), await ids('role=viewer'), 'another name');
    assert.equal((await api.call('GET', '/users?cursor=nonsense')).body.code, 'CURSOR_INVALID');
  });

  it('have one address each, whatever its case, and it looks like one', async () => {
    const { email } = await invite();
    assert.equal((await api.call('POST', '/users', { email: email.toUpperCase() })).body.code, 'CONFLICT');
    for (const bad of [
      'nobody',
      'a b@example.com',
      '@example.com',
      'a@',
      'a\u0000@b',
      'a@b\u200b',
      `${'a'.repeat(260)}@b.c`,
    ])
      assert.equal((await api.call('POST', '/users', { email: bad })).status, 400, bad);
    const other = await invite('user');
    assert.equal(other.role, 'viewer');
    assert.equal((await api.call('PATCH', `/users/${other.id}`, { email })).body.code, 'CONFLICT');
    assert.equal((await api.call('POST', '/users', { email: 'x@y.z', role: 'root' })).status, 400);
  });

  it('who are given another role have it at the next request', async () => {
    const { id, session } = await join('viewer');
    assert.equal((await as(session, 'POST', '/tags', { name: 'by a viewer' })).body.code, 'FORBIDDEN');
    await api.ok('PATCH', `/users/${id}`, { role: 'operator' });
    assert.equal((await as(session, 'POST', '/tags', { name: 'by an operator' })).status, 201);
    assert.equal((await as(session, 'GET', '/users')).body.code, 'FORBIDDEN');
  });

  it('who are deactivated are out at once, with their keys and links, and back without old sessions', async () => {
    const { id, email, session } = await join('admin');
    const { key } = (await as(session, 'POST', '/api-keys', { name: 'mine', scopes: ['admin'] })).body;
    const use = async () => (await api.call('GET', '/users', undefined, { authorization: `Bearer ${key}` })).status;
    assert.equal(await use(), 200);
    await api.ok('PATCH', `/users/${id}`, { is_active: false });
    assert.equal((await me(session)).body.kind, 'anonymous');
    assert.deepEqual([(await logIn(email)).status, await use()], [401, 401]);
    assert.equal((await api.call('POST', `/users/${id}/reset-password`)).body.code, 'STATE_CONFLICT');
    await api.ok('PATCH', `/users/${id}`, { is_active: true });
    assert.equal((await me(session)).body.kind, 'anonymous');
    assert.deepEqual([(await logIn(email)).status, await use()], [200, 200]);
    await api.ok('PATCH', `/users/${id}`, { role: 'viewer' });
    assert.equal(await use(), 403, 'a key can do no more than the person it belongs to');
    assert.equal((await api.call('DELETE', `/users/${id}`)).status, 204);
    assert.equal(await use(), 401);
    assert.equal((await api.call('DELETE', `/users/${id}`)).status, 404);
    const pending = await invite();
    await api.ok('PATCH', `/users/${pending.id}`, { is_active: false });
    assert.equal((await redeem(tokenOf(pending.invite.path))).body.code, 'LINK_EXPIRED');
  });

  it('whose password is reset are out, and the link alone leads to a new one', async () => {
    const { id, email, session } = await join();
    const [old] = await api.app.database.query<{ password_hash: string }>(
      'SELECT password_hash FROM users WHERE id = $1',
      [id],
    );
    const link = await api.ok('POST', `/users/${id}/reset-password`, undefined, 201);
    assert.match(link.path, /^\/login#reset=/);
    const minutes = (new Date(link.expires_at).getTime() - Date.now()) / 60_000;
    assert.ok(minutes > 59 && minutes < 61, `${minutes} min`);
    assert.equal((await me(session)).body.kind, 'anonymous');
    assert.equal((await logIn(email)).status, 401, 'the old password is gone');
    await assert.rejects(
      startSession(api.app, id, {}, old!.password_hash),
      { code: 'AUTH_REQUIRED' },
      'a log-in that verified the old password just before opens nothing',
    );
    assert.equal((await redeem(tokenOf(link.path), 'quite another password')).status, 200);
    assert.equal((await redeem(tokenOf(link.path))).status, 410);
    assert.equal((await logIn(email, 'quite another password')).status, 200);
  });

  describe('the last admin', () => {
    it('can be neither removed, demoted nor deactivated, not even beside one who never logged in', async () => {
      const id = await firstId();
      await invite('admin');
      for (const [method, body] of [
        ['DELETE', undefined],
        ['PATCH', { role: 'operator' }],
        ['PATCH', { is_active: false }],
      ] as const) {
        const answer = await api.call(method, `/users/${id}`, body);
        assert.deepEqual([answer.status, answer.body.code], [409, 'LAST_ADMIN'], answer.text);
      }
      assert.equal((await api.call('PATCH', `/users/${id}`, { role: 'admin' })).status, 200);
    });

    it('is left over when all admins are taken away at the same moment', async () => {
      const ids = [await firstId()];
      while (ids.length < 5) ids.push((await join('admin')).id);
      const ways = [
        (id: string) => api.call('DELETE', `/users/${id}`),
        (id: string) => api.call('PATCH', `/users/${id}`, { role: 'viewer' }),
        (id: string) => api.call('PATCH', `/users/${id}`, { is_active: false }),
      ];
      const answers = await Promise.all(ids.map((id, nth) => ways[nth % ways.length]!(id)));
      assert.equal(answers.filter(({ body }) => body?.code === 'LAST_ADMIN').length, 1);
      assert.equal(answers.filter(({ status }) => status < 300).length, ids.length - 1);
      const rows = await api.app.database.query(
        `SELECT id FROM users WHERE role = 'admin' AND is_active AND password_hash IS NOT NULL`,
      );
      assert.equal(rows.length, 1);
    });
  });

  it('leave a trail that shows who changed what, and none of the secrets', async () => {
    const user = await invite('viewer');
    const renewed = await api.ok('POST', `/users/${user.id}/invite`, undefined, 201);
    const joined = await redeem(tokenOf(renewed.path));
    await api.ok('PATCH', `/users/${user.id}`, { role: 'operator' });
    const session = sessionOf(joined);
    const changed = await as(session, 'POST', '/auth/password', {
      current_password: PASSWORD,
      new_password: 'my own new password',
    });
    assert.equal(changed.status, 200, changed.text);
    const reset = await api.ok('POST', `/users/${user.id}/reset-password`, undefined, 201);
    await api.ok('DELETE', `/users/${user.id}/sessions`);
    await api.call('DELETE', `/users/${user.id}`);
    const told = (await readLog(api.app.database)).filter(
      ({ kind, data }) => kind === 'admin.action' && JSON.stringify(data).includes(user.id),
    );
    const operations = told.map((event) => (event.data as { operation: string }).operation);
    assert.deepEqual(operations, [
      'createUser',
      'inviteUser',
      'redeemInvite',
      'updateUser',
      'resetPassword',
      'endUserSessions',
      'deleteUser',
    ]);
    const all = JSON.stringify(await readLog(api.app.database));
    assert.ok(all.includes('changePassword') && all.includes('"before":{"role":"viewer"'), all);
    const secrets = [
      ...[user.invite, renewed, reset].map(({ path }) => tokenOf(path)),
      PASSWORD,
      'my own new password',
      session['x-session-key'],
      session.cookie.split('=')[1]!,
      '$argon2id$',
    ];
    for (const secret of secrets) assert.ok(!all.includes(secret), secret);
    const logged = JSON.stringify(api.logged);
    for (const secret of secrets) assert.ok(!logged.includes(secret), secret);
  });
});
