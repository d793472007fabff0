import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadSettings } from '../../../src/config/load.ts';
import { renewSessions } from '../../../src/db/access/logins.ts';
import { ensureFirstAdmin, type FirstAdmin } from '../../../src/operations/access/ensure-first-admin.ts';
import type { Database } from '../../../src/ports/database.ts';
import { createKeyUses } from '../../../src/surfaces/http/key-uses.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { openStream, untilClosed } from '../../support/event-stream.ts';
import { sessionOf } from '../../support/log-in.ts';

type Session = ReturnType<typeof sessionOf>;
const HOUR_MS = 3_600_000;

describe('sessions', () => {
  let api: TestApi;
  let first: FirstAdmin;
  let minute = 0;
  before(async () => {
    const { settings } = loadSettings({
      APP_ENV: 'test',
      LIVE__HEARTBEAT_MS: '100',
      HTTP__TRUST_PROXY: '10.0.0.0/8',
    });
    api = await createTestApi({ settings }, { now: () => ++minute * 60_000 });
    first = (await ensureFirstAdmin(api.app))!;
  });
  after(() => api[Symbol.asyncDispose]());

  const logIn = async (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => {
    const payload = { email: first.email, password: first.password };
    const answer = await api.send({ method: 'POST', url: '/api/v1/auth/login', payload, headers, remoteAddress });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
  const open = async (userAgent: string) => sessionOf(await logIn({ 'user-agent': userAgent }));
  const as = (session: Record<string, string>, method: string, path: string) =>
    api.send({ method: method as 'GET', url: `/api/v1${path}`, headers: session });
  const list = async (session: Session) =>
    (await as(session, 'GET', '/auth/sessions')).body.items as {
      id: string;
      ip: string;
      user_agent: string;
      current: boolean;
      last_seen_at: string;
      expires_at: string;
    }[];
  const alive = async (session: Session) => (await as(session, 'GET', '/auth/me')).body.kind === 'session';
  const all = () => as({ authorization: `Bearer ${api.keys.admin}` }, 'DELETE', `/users/${userId}/sessions`);
  let userId = '';
  before(async () => {
    userId = (await as(await open('first'), 'GET', '/auth/me')).body.user.id;
  });

  it('are listed with what tells them apart, and nothing that would open them', async () => {
    await all();
    const [phone, laptop] = [await open('phone'), await open('laptop')];
    const found = await list(laptop);
    assert.deepEqual(
      found.map(({ user_agent, ip, current }) => [user_agent, ip, current]),
      [
        ['laptop', '127.0.0.1', true],
        ['phone', '127.0.0.1', false],
      ],
    );
    const { text } = await as(laptop, 'GET', '/auth/sessions');
    for (const { cookie, 'x-session-key': key } of [phone, laptop])
      assert.ok(!text.includes(key) && !text.includes(cookie.split('=')[1]!));
    const page = (await as(laptop, 'GET', '/auth/sessions?limit=1')).body;
    assert.equal(
      (await as(laptop, 'GET', `/auth/sessions?limit=1&cursor=${page.next_cursor}`)).body.items[0].id,
      found[1]!.id,
    );
    const seen = await api.ok('GET', `/users/${userId}/sessions`);
    assert.deepEqual(
      seen.items.map(({ current }: { current: boolean }) => current),
      [false, false],
    );
  });

  it('are ended one by one, all but this, or all by an admin', async () => {
    await all();
    const [one, two, mine] = [await open('one'), await open('two'), await open('mine')];
    const id = (await list(mine)).find(({ user_agent }) => user_agent === 'one')!.id;
    assert.equal((await as(mine, 'DELETE', `/auth/sessions/${id}`)).status, 204);
    assert.equal((await as(mine, 'DELETE', `/auth/sessions/${id}`)).status, 404);
    assert.deepEqual([await alive(one), await alive(two), await alive(mine)], [false, true, true]);
    assert.deepEqual((await as(mine, 'DELETE', '/auth/sessions')).body, { deleted: 1 });
    assert.deepEqual([await alive(two), await alive(mine)], [false, true]);
    assert.deepEqual((await all()).body, { deleted: 1 });
    assert.equal(await alive(mine), false);
  });

  it('of others are out of reach, and keys have none', async () => {
    await all();
    const admin = await open('admin');
    const other = await api.ok('POST', '/users', { email: 'other@example.com' }, 201);
    const joined = await api.send({
      method: 'POST',
      url: '/api/v1/auth/invite/redeem',
      payload: { token: other.invite.path.split('=')[1], password: 'a long enough password' },
    });
    const viewer = sessionOf(joined);
    const [{ id } = { id: '' }] = await list(admin);
    assert.equal((await as(viewer, 'DELETE', `/auth/sessions/${id}`)).status, 404);
    assert.equal((await as(viewer, 'GET', `/users/${userId}/sessions`)).body.code, 'FORBIDDEN');
    assert.equal((await api.call('DELETE', `/users/${other.id}/sessions/${id}`)).status, 404, 'not of this person');
    assert.ok((await alive(admin)) && (await alive(viewer)));
    assert.equal((await api.call('DELETE', `/users/${userId}/sessions/${id}`)).status, 204);
    assert.equal(await alive(admin), false);
    assert.deepEqual((await api.ok('GET', '/auth/sessions')).items, []);
    assert.equal((await api.call('DELETE', '/auth/sessions')).body.code, 'FORBIDDEN');
    assert.equal((await api.call('GET', `/users/${'0'.repeat(8)}-0000-7000-8000-000000000000/sessions`)).status, 404);
  });

  it('slide by a day with each use, and end after 30 days however much they are used', async () => {
    const session = await open('sliding');
    const [{ id } = { id: '' }] = await list(session);
    const age = (seen: string, created: string) =>
      api.app.database.query(
        `UPDATE sessions SET last_seen_at = now() - $2::interval, created_at = now() - $3::interval,
           expires_at = now() - $2::interval + interval '24 hours' WHERE id = $1`,
        [id, seen, created],
      );
    const left = async () =>
      (
        await api.app.database.query<{ ms: number }>(
          'SELECT extract(epoch FROM expires_at - now()) * 1000 AS ms FROM sessions WHERE id = $1',
          [id],
        )
      )[0]!.ms / HOUR_MS;
    const near = (hours: number, wanted: number) => assert.ok(Math.abs(hours - wanted) < 0.1, `${hours} h`);
    const use = async (at = new Date()) => renewSessions(api.app.database, new Map([[id, at]]));
    await age('23 hours', '23 hours');
    assert.ok(await alive(session));
    near(await left(), 1);
    await use();
    near(await left(), 24);
    await age('10 hours', '29 days 20 hours');
    await use();
    near(await left(), 4);
    await use(new Date(Date.now() - HOUR_MS));
    near(await left(), 4);
    await age('24 hours', '24 hours');
    assert.equal(await alive(session), false, 'not used for a day');
    await use();
    assert.equal(await alive(session), false, 'what has ended stays ended');
  });

  it('are written at most once a minute, never by the request itself', async () => {
    const session = await open('busy');
    let writes = 0;
    const database: Database = Object.create(api.app.database, {
      query: {
        value: (text: string, values: unknown[]) => {
          writes++;
          return api.app.database.query(text, values);
        },
      },
    });
    const [{ id } = { id: '' }] = await list(session);
    /** A hundred requests of a session that was last seen `ms` ago. */
    const use = async (ms: number) => {
      const session = { id, lastSeenAt: new Date(Date.now() - ms) };
      await using uses = createKeyUses({ ...api.app, database });
      for (let times = 0; times < 100; times++) uses.note({ kind: 'session', name: 'x', scopes: [], rpm: 1, session });
      assert.equal(writes, 0, 'no request writes');
    };
    await use(59_000);
    assert.equal(writes, 0);
    await use(61_000);
    assert.equal(writes, 1);
    const rows = () =>
      api.app.database.query<{ seen: Date }>('SELECT last_seen_at AS seen FROM sessions WHERE id = $1', [id]);
    const [before] = await rows();
    for (let times = 0; times < 5; times++) await alive(session);
    assert.deepEqual(await rows(), [before]);
  });

  it('a session that is used is renewed when uses are written', async () => {
    await using other = await createTestApi();
    const admin = (await ensureFirstAdmin(other.app))!;
    const payload = { email: admin.email, password: admin.password };
    const session = sessionOf(await other.send({ method: 'POST', url: '/api/v1/auth/login', payload }));
    await other.app.database.query(
      `UPDATE sessions SET last_seen_at = now() - interval '2 hours', expires_at = now() + interval '22 hours'`,
    );
    await other.send({ method: 'GET', url: '/api/v1/tags', headers: session });
    await other.server.close();
    const [row] = await other.app.database.query<{ slid: boolean }>(
      `SELECT expires_at > now() + interval '23 hours' AND last_seen_at > now() - interval '1 minute' AS slid FROM sessions`,
    );
    assert.equal(row?.slid, true);
  });

  it('that are ended end their streams at the next heartbeat', async () => {
    await all();
    const { origin } = await listen(api.server, { host: '127.0.0.1', port: 0 });
    const [mine, other] = [await open('mine'), await open('other')];
    const stream = await openStream(origin, '/events/stream', other);
    const id = (await list(mine)).find(({ user_agent }) => user_agent === 'other')!.id;
    assert.equal((await as(mine, 'DELETE', `/auth/sessions/${id}`)).status, 204);
    await untilClosed(stream);
    assert.deepEqual(stream.heard.at(-1)?.data, { code: 'AUTH_REQUIRED' });
  });

  it('travel over TLS alone where a trusted proxy says that TLS is in front', async () => {
    const cookie = async (headers: Record<string, string>, from?: string) =>
      String((await logIn(headers, from)).headers['set-cookie']);
    assert.doesNotMatch(await cookie({}), /Secure/);
    assert.match(await cookie({ 'x-forwarded-proto': 'https' }, '10.1.2.3'), /; Secure$/);
    assert.doesNotMatch(await cookie({ 'x-forwarded-proto': 'https' }, '192.0.2.1'), /Secure/, 'anybody can say so');
  });
});
