import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createMemoryCache } from '../../../src/drivers/cache/memory.ts';
import { createLoginLink } from '../../../src/operations/access/create-login-link.ts';
import { ensureFirstAdmin, type FirstAdmin } from '../../../src/operations/access/ensure-first-admin.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { sessionOf } from '../../support/log-in.ts';

describe('access', () => {
  let api: TestApi;
  let first: FirstAdmin;
  let minute = 0;
  /** What the cache counts waits by: it stands still until a test moves it. */
  let clockMs = 0;
  before(async () => {
    const cache = createMemoryCache({ maxMb: 8, now: () => clockMs });
    // Each look at the clock is another minute, so that limits do not meet; the test of limits stops it.
    api = await createTestApi({ cache }, { now: () => (minute < 0 ? 0 : ++minute * 60_000) });
    first = (await ensureFirstAdmin(api.app))!;
    await api.app.database.query(
      `INSERT INTO users (id, email, password_hash, role)
       SELECT role_id::uuid, role_email, password_hash, role_name FROM users,
         (VALUES ('01920000-0000-7000-8000-000000000001', 'reader@example.com', 'viewer'),
                 ('01920000-0000-7000-8000-000000000002', 'worker@example.com', 'operator')) AS v (role_id, role_email, role_name)`,
    );
  });
  after(() => api[Symbol.asyncDispose]());

  const logIn = (email: string, password: string, headers = {}) =>
    api.send({ method: 'POST', url: '/api/v1/auth/login', headers, payload: { email, password } });

  it('makes the first admin once', async () => {
    assert.match(first.apiKey, /^c4r_[\w-]{43}$/);
    assert.match(first.password, /^(\w{5}-){3}\w{5}$/);
    assert.equal(await ensureFirstAdmin(api.app), undefined);
  });

  it('keeps neither password nor key in clear', async () => {
    const text = JSON.stringify(
      await api.app.database.query(
        `SELECT (SELECT json_agg(users) FROM users) AS u, (SELECT json_agg(api_keys) FROM api_keys) AS k`,
      ),
    );
    assert.match(text, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.ok(!text.includes(first.password) && !text.includes(first.apiKey));
  });

  describe('who may do what', () => {
    const matrix: { method: string; path: string; body?: object; allowed: string[] }[] = [
      {
        method: 'GET',
        path: '/auth/me',
        allowed: ['anonymous', 'read', 'write', 'admin', 'viewer session', 'operator session', 'admin session'],
      },
      {
        method: 'GET',
        path: '/collections',
        allowed: ['read', 'write', 'admin', 'viewer session', 'operator session', 'admin session'],
      },
      {
        method: 'POST',
        path: '/tags',
        body: { name: '' },
        allowed: ['write', 'admin', 'operator session', 'admin session'],
      },
      {
        method: 'PUT',
        path: '/domains/example.com',
        body: { rate_limit_rps: 0 },
        allowed: ['write', 'admin', 'operator session', 'admin session'],
      },
      { method: 'POST', path: '/domains/example.com/reset', allowed: ['admin', 'admin session'] },
      { method: 'GET', path: '/api-keys', allowed: ['admin', 'admin session'] },
      { method: 'POST', path: '/api-keys', body: {}, allowed: ['admin', 'admin session'] },
    ];
    const callers = ['anonymous', 'read', 'write', 'admin', 'viewer session', 'operator session', 'admin session'];
    const headers: Record<string, Record<string, string>> = { anonymous: {} };
    before(async () => {
      for (const scope of ['read', 'write', 'admin'] as const)
        headers[scope] = { authorization: `Bearer ${api.keys[scope]}` };
      for (const [name, email] of [
        ['viewer session', 'reader@example.com'],
        ['operator session', 'worker@example.com'],
        ['admin session', first.email],
      ] as const) {
        const answer = await logIn(email, first.password);
        assert.equal(answer.status, 200, answer.text);
        headers[name] = sessionOf(answer);
      }
    });
    for (const { method, path, body, allowed } of matrix)
      for (const caller of callers)
        it(`${method} ${path} by ${caller}: ${allowed.includes(caller) ? 'yes' : 'no'}`, async () => {
          const answer = await api.send({
            method: method as 'GET',
            url: `/api/v1${path}`,
            headers: headers[caller]!,
            ...(body === undefined ? {} : { payload: body }),
          });
          if (allowed.includes(caller)) assert.ok(![401, 403].includes(answer.status), answer.text);
          else assert.equal(answer.body.code, caller === 'anonymous' ? 'AUTH_REQUIRED' : 'FORBIDDEN', answer.text);
        });

    it('only reading is open to keys that read, and only a few routes to everybody', () => {
      const open = ROUTES.filter(({ access }) => access === 'public').map(({ path }) => path);
      assert.deepEqual(open.sort(), [
        '/auth/invite/redeem',
        '/auth/login',
        '/auth/login-link/redeem',
        '/auth/logout',
        '/auth/me',
        '/auth/oidc/callback',
        '/auth/oidc/redeem',
        '/auth/oidc/start',
        '/blobs/:token',
        '/health',
        '/health/ready',
      ]);
      const reading = ROUTES.filter(({ access, method }) => access === 'read' && method !== 'GET').map(
        ({ path }) => path,
      );
      assert.deepEqual(reading.sort(), [
        '/auth/keys',
        '/auth/keys/:id',
        '/auth/password',
        '/auth/sessions',
        '/auth/sessions/:id',
        '/discover/score',
        '/search',
        '/search/keyword',
        '/search/vector',
      ]);
    });

    it('half of a session is nobody: the cookie goes to every port of this host', async () => {
      const { cookie, 'x-session-key': key } = headers['admin session']!;
      const ask = (half: Record<string, string>) => api.send({ method: 'GET', url: '/api/v1/tags', headers: half });
      assert.equal((await ask({ cookie: cookie!, 'x-session-key': key! })).status, 200);
      for (const half of [
        { cookie: cookie! },
        { 'x-session-key': key! },
        { cookie: cookie!, 'x-session-key': 'wrong' },
      ])
        assert.equal((await ask(half as Record<string, string>)).body.code, 'AUTH_REQUIRED');
      const me = await api.send({ method: 'GET', url: '/api/v1/auth/me', headers: { cookie: cookie! } });
      assert.equal(me.body.kind, 'anonymous');
      assert.ok(!me.text.includes(key!), 'nobody is given the other half');
    });
  });

  it('sends a cookie that scripts and other sites cannot use', async () => {
    const answer = await logIn(first.email, first.password);
    assert.match(String(answer.headers['set-cookie']), /; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
    assert.match(String((await logIn(first.email, 'wrong-password')).body.error), /email or password is wrong/);
  });

  it('a new login ends the session it came with, and logging out ends it for good', async () => {
    const old = sessionOf(await logIn(first.email, first.password));
    const now = sessionOf(await logIn(first.email, first.password, old));
    const me = (headers: Record<string, string>) => api.send({ method: 'GET', url: '/api/v1/auth/me', headers });
    assert.equal((await me(old)).body.kind, 'anonymous');
    assert.equal((await me(now)).body.user.must_change_password, true);
    const logOut = (headers: Record<string, string>) =>
      api.send({ method: 'POST', url: '/api/v1/auth/logout', headers });
    assert.equal((await logOut({ cookie: now.cookie })).status, 204);
    assert.equal((await me(now)).body.kind, 'session', 'half a session ends nothing');
    assert.equal((await logOut({ ...now, 'sec-fetch-site': 'same-site' })).body.code, 'FORBIDDEN');
    assert.equal((await logOut(now)).status, 204);
    assert.equal((await me(now)).body.kind, 'anonymous');
  });

  it('a new password ends all sessions but the one that changed it', async () => {
    const email = 'reader@example.com';
    const other = sessionOf(await logIn(email, first.password));
    const mine = sessionOf(await logIn(email, first.password));
    const change = (current_password: string) =>
      api.send({
        method: 'POST',
        url: '/api/v1/auth/password',
        headers: mine,
        payload: { current_password, new_password: 'a new long password' },
      });
    assert.equal((await change('not it')).body.code, 'FORBIDDEN');
    const changed = await change(first.password);
    assert.equal(changed.status, 200, changed.text);
    const kind = async (headers: Record<string, string>) =>
      (await api.send({ method: 'GET', url: '/api/v1/auth/me', headers })).body.kind;
    assert.equal(await kind(other), 'anonymous');
    assert.equal(await kind(sessionOf(changed)), 'session');
    assert.equal((await logIn(email, 'a new long password')).status, 200);
  });

  it('a login link works once, only the newest, and only when its page sends it', async () => {
    const [old, link] = [await createLoginLink(api.app), await createLoginLink(api.app)];
    const tokenOf = (path: string) => path.replace('/login#token=', '');
    // What a mail scanner or a preview does: it requests the page, with the token where such links had it.
    for (const method of ['HEAD', 'GET'] as const) {
      const page = await api.send({ method, url: `/login?token=${tokenOf(link)}` });
      assert.deepEqual([page.status, page.headers['set-cookie']], [200, undefined]);
    }
    const redeem = (token: unknown) =>
      api.send({ method: 'POST', url: '/api/v1/auth/login-link/redeem', payload: { token } });
    assert.equal((await redeem(tokenOf(old))).body.code, 'AUTH_REQUIRED');
    for (const token of [['a', 'b'], 'x'.repeat(2_000), null]) assert.equal((await redeem(token)).status, 400);
    const opened = await redeem(tokenOf(link));
    assert.equal(opened.status, 200, opened.text);
    const me = await api.send({ method: 'GET', url: '/api/v1/auth/me', headers: sessionOf(opened) });
    assert.equal(me.body.user.email, first.email);
    assert.equal((await redeem(tokenOf(link))).body.code, 'AUTH_REQUIRED');
  });

  describe('guessing a password', () => {
    const guess = (remoteAddress: string, password: string, email = first.email) =>
      api.send({ method: 'POST', url: '/api/v1/auth/login', remoteAddress, payload: { email, password } });

    it('is slowed down, and never for long', async () => {
      for (let tries = 0; tries < 5; tries++) assert.equal((await guess('203.0.113.7', 'guess')).status, 401);
      for (let tries = 0; tries < 30; tries++) {
        const refused = await guess('203.0.113.7', first.password);
        assert.equal(refused.body.code, 'RATE_LIMITED');
        const wait = Number(refused.headers['retry-after']);
        assert.ok(wait > 0 && wait <= 30, `${wait} s`);
      }
      assert.equal((await guess('203.0.113.8', first.password)).status, 200, 'the owner is let in elsewhere');
    });

    it('lets the owner in at the same address once the wait is over', async () => {
      for (let tries = 0; tries < 6; tries++) await guess('203.0.113.17', 'guess');
      const refused = await guess('203.0.113.17', first.password);
      assert.equal(refused.status, 429);
      clockMs += Number(refused.headers['retry-after']) * 1_000;
      assert.equal((await guess('203.0.113.17', first.password)).status, 200);
    });

    it('of many names from one address is slowed down too', async () => {
      const statuses = [];
      for (let tries = 0; tries < 31; tries++)
        statuses.push((await guess('203.0.113.18', 'guess', `user${tries}@example.com`)).status);
      assert.equal(statuses.at(-1), 429);
      assert.deepEqual(new Set(statuses.slice(0, 30)), new Set([401]));
    });
  });

  it('a revoked or expired key is refused at once', async () => {
    const made = await api.call('POST', '/api-keys', { name: 'short lived', scopes: ['read'] });
    assert.equal(made.status, 201);
    const use = () =>
      api.send({ method: 'GET', url: '/api/v1/tags', headers: { authorization: `Bearer ${made.body.key}` } });
    assert.equal((await use()).status, 200);
    await api.app.database.query(`UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1`, [
      made.body.id,
    ]);
    assert.equal((await use()).body.code, 'AUTH_REQUIRED');
    await api.app.database.query('UPDATE api_keys SET expires_at = NULL WHERE id = $1', [made.body.id]);
    assert.equal((await use()).status, 200);
    assert.equal((await api.call('DELETE', `/api-keys/${made.body.id}`)).status, 204);
    assert.equal((await use()).body.code, 'AUTH_REQUIRED');
  });

  it('limits requests a minute, and says so before and when it does', async () => {
    minute = -1;
    try {
      const key = (await api.call('POST', '/api-keys', { name: 'slow', rate_limit_rpm: 2 })).body.key;
      const use = () => api.send({ method: 'GET', url: '/api/v1/tags', headers: { authorization: `Bearer ${key}` } });
      const [one, two, three] = [await use(), await use(), await use()];
      assert.equal(one.headers['ratelimit-policy'], '"default";q=2;w=60');
      assert.equal(one.headers.ratelimit, '"default";r=1;t=60');
      assert.equal(two.status, 200);
      assert.equal(three.body.code, 'RATE_LIMITED');
      assert.equal(three.headers['retry-after'], '60');
      const answers = [];
      for (let count = 0; count < 11; count++)
        answers.push((await api.send({ method: 'GET', url: '/api/v1/auth/me', remoteAddress: '203.0.113.9' })).status);
      assert.deepEqual(answers, [...Array(10).fill(200), 429]);
      const guess = () =>
        api.send({
          method: 'GET',
          url: '/api/v1/tags',
          remoteAddress: '203.0.113.10',
          headers: { authorization: 'Bearer c4r_guess' },
        });
      const guesses = [];
      for (let count = 0; count < 11; count++) guesses.push((await guess()).status);
      assert.deepEqual(guesses, [...Array(10).fill(401), 429]);
    } finally {
      minute = 1_000;
    }
  });

  it('notes when a key was last used', async () => {
    await using other = await createTestApi();
    await other.call('GET', '/tags');
    await other.server.close();
    const rows = await other.app.database.query<{ name: string; used: boolean }>(
      'SELECT name, last_used_at IS NOT NULL AS used FROM api_keys',
    );
    assert.deepEqual(
      rows.filter(({ used }) => used).map(({ name }) => name),
      ['admin'],
    );
  });
});
