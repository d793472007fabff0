import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { loadSettings } from '../../../src/config/load.ts';
import { createHttpFetcher } from '../../../src/drivers/fetcher/http.ts';
import { ensureFirstAdmin, type FirstAdmin } from '../../../src/operations/access/ensure-first-admin.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { type Answer, createTestApi, type TestApi } from '../../support/api.ts';
import { readLog } from '../../support/events.ts';
import { cookieOf, sessionOf } from '../../support/log-in.ts';
import { type OidcProvider, startOidcProvider } from '../../support/oidc-provider.ts';

const HOST = 'localhost:53001';
const CALLBACK = `http://${HOST}/api/v1/auth/oidc/callback`;
const person = (email: string, more: object = {}) => ({ email, email_verified: true, ...more });
const ACCOUNTS = {
  ada: person('ada@corp.example'),
  // Another account with the address of the first: the provider has given it away.
  'ada-2': person('ada@corp.example'),
  bob: person('bob@corp.example', { email_verified: false }),
  cleo: person('cleo@elsewhere.example'),
  dan: person('Dan@Invited.example'),
  eve: person('eve@corp.example'),
  flo: person('flo@corp.example', { groups: ['staff', 'crawl-ops'] }),
  gus: person('gus@corp.example', { groups: ['nobody'] }),
  hal: { groups: ['admin'] },
  ida: person('ida@corp.example', { groups: ['admin'] }),
};

describe('sign-in with an OpenID provider', () => {
  let provider: OidcProvider;
  let api: TestApi;
  let first: FirstAdmin;
  let minute = 0;
  const opened: AsyncDisposable[] = [];

  /** A server that knows the provider, with settings of its own. */
  const openApi = async (more: Record<string, string> = {}, allow?: string[]) => {
    const { settings } = loadSettings({
      APP_ENV: 'test',
      OIDC__ISSUER: provider.issuer,
      OIDC__CLIENT_ID: 'crawl4r',
      OIDC__CLIENT_SECRET: 'a secret of the client',
      OIDC__NAME: 'Corp',
      OIDC__ALLOWED_DOMAINS: 'corp.example',
      ...more,
    });
    const providerClient = createHttpFetcher({ guard: createGuard(allow ?? [provider.issuer]), settings });
    const made = await createTestApi({ settings, providerClient }, { now: () => ++minute * 60_000 });
    opened.push(made, providerClient);
    return made;
  };
  before(async () => {
    provider = await startOidcProvider(CALLBACK, ACCOUNTS);
    api = await openApi();
    first = (await ensureFirstAdmin(api.app))!;
  });
  after(async () => {
    for (const each of opened) await each[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });
  beforeEach(() => api.app.cache.deletePrefix('login:'));

  const start = async (to: TestApi = api) => {
    const answer = await to.send({ method: 'GET', url: '/api/v1/auth/oidc/start', headers: { host: HOST } });
    return { answer, location: String(answer.headers.location), cookie: cookieOf(answer, 'c4r_sign_in') };
  };
  const finish = (query: string, cookie: string, to: TestApi = api, headers = {}) =>
    to.send({
      method: 'POST',
      url: '/api/v1/auth/oidc/redeem',
      headers: { host: HOST, cookie, ...headers },
      payload: { query },
    });
  /** The whole way, as a browser goes it; `change` may tamper with the address on the way there or back. */
  const signIn = async (
    name: string,
    to: TestApi = api,
    change: { there?: (url: URL) => void; back?: (url: URL) => void } = {},
  ) => {
    const { location, cookie } = await start(to);
    const there = new URL(location);
    change.there?.(there);
    const back = await provider.logIn(there.href, name);
    change.back?.(back);
    assert.equal(`${back.origin}${back.pathname}`, CALLBACK);
    const page = await to.send({ method: 'GET', url: `${back.pathname}${back.search}`, headers: { host: HOST } });
    assert.equal(page.status, 302);
    const [, handed] = /^\/login#oidc=(.*)$/.exec(String(page.headers.location))!;
    const query = decodeURIComponent(handed!);
    return { answer: await finish(query, cookie, to), query, cookie };
  };
  const refused = (answer: Answer, words: RegExp) => {
    assert.deepEqual([answer.status, answer.body.code], [403, 'SIGN_IN_REFUSED'], answer.text);
    assert.match(answer.body.error, words);
    assert.equal(cookieOf(answer, 'c4r_session'), '');
  };
  const me = async (answer: Answer, to: TestApi = api) =>
    (await to.send({ method: 'GET', url: '/api/v1/auth/me', headers: sessionOf(answer) })).body;

  it('starts with state, nonce and PKCE, kept in a cookie that shows none of them', async () => {
    const { answer, location, cookie } = await start();
    assert.equal(answer.status, 302);
    const { origin, searchParams } = new URL(location);
    assert.equal(origin, provider.issuer);
    assert.deepEqual(
      ['client_id', 'redirect_uri', 'response_type', 'code_challenge_method'].map((name) => searchParams.get(name)),
      ['crawl4r', CALLBACK, 'code', 'S256'],
    );
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok(searchParams.get(name)!.length >= 32, name);
    assert.match(
      String(answer.headers['set-cookie']),
      /Path=\/api\/v1\/auth\/oidc; HttpOnly; SameSite=Strict; Max-Age=600$/,
    );
    for (const name of ['state', 'nonce']) assert.ok(!cookie.includes(searchParams.get(name)!));
  });

  it('lets a person of an allowed domain in, as a viewer, and is no second person the next time', async () => {
    const { answer } = await signIn('ada');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body.user.email, answer.body.user.role], ['ada@corp.example', 'viewer']);
    assert.equal((await me(answer)).user.id, answer.body.user.id);
    assert.equal((await signIn('ada')).answer.body.user.id, answer.body.user.id);
    const log = JSON.stringify(await readLog(api.app.database));
    assert.ok(log.includes('finishSignIn') && log.includes(answer.body.user.id));
    assert.ok(!log.includes(answer.body.session_key));
  });

  it('ends the session the browser had before', async () => {
    const before = sessionOf((await signIn('ada')).answer);
    const { location, cookie } = await start();
    const back = await provider.logIn(location, 'ada');
    const answer = await finish(back.search.slice(1), `${cookie}; ${before.cookie}`, api, {
      'x-session-key': before['x-session-key'],
    });
    assert.equal(answer.status, 200, answer.text);
    const old = await api.send({ method: 'GET', url: '/api/v1/auth/me', headers: before });
    assert.equal(old.body.kind, 'anonymous');
  });

  it('links a verified address to the person who is here, who keeps role and password', async () => {
    const invited = await api.ok('POST', '/users', { email: 'dan@invited.example', role: 'operator' }, 201);
    const { answer } = await signIn('dan');
    assert.deepEqual(answer.body.user, { id: invited.id, email: 'dan@invited.example', role: 'operator' });
    await api.ok('PATCH', `/users/${invited.id}`, { email: 'renamed@invited.example' });
    assert.equal((await signIn('dan')).answer.body.user.id, invited.id, 'the account decides, not the address');
    await api.ok('PATCH', `/users/${invited.id}`, { is_active: false });
    refused((await signIn('dan')).answer, /not active/);
  });

  it('refuses an address nobody verified, and another account with an address that is taken', async () => {
    refused((await signIn('bob')).answer, /not verified/);
    await signIn('ada');
    refused((await signIn('ada-2')).answer, /another account/);
    refused((await signIn('cleo')).answer, /not been invited/);
    const { items } = await api.ok('GET', '/users?limit=200');
    assert.ok(!items.some(({ email }: { email: string }) => /bob|cleo/.test(email)));
  });

  it('refuses a state that is not its own', async () => {
    const changed = await signIn('eve', api, { back: (url) => url.searchParams.set('state', 'x'.repeat(43)) });
    refused(changed.answer, /did not confirm/);
    const [mine, other] = [await start(), await start()];
    const back = await provider.logIn(mine.location, 'eve');
    refused(await finish(back.search.slice(1), other.cookie), /did not confirm/);
  });

  it('refuses a nonce that is not its own', async () => {
    const { answer } = await signIn('eve', api, { there: (url) => url.searchParams.set('nonce', 'x'.repeat(43)) });
    refused(answer, /did not confirm/);
  });

  it('refuses an answer of another issuer', async () => {
    const changed = await signIn('eve', api, { back: (url) => url.searchParams.set('iss', 'https://evil.example') });
    refused(changed.answer, /did not confirm/);
    const elsewhere = await openApi({ OIDC__ISSUER: provider.issuer.replace('127.0.0.1', 'localhost') }, ['localhost']);
    assert.equal((await start(elsewhere)).answer.body.code, 'PROVIDER_DOWN', 'it calls itself by another name');
  });

  it('refuses a code that was used before', async () => {
    const { answer, query, cookie } = await signIn('eve');
    assert.equal(answer.status, 200, answer.text);
    assert.match(String(answer.headers['set-cookie']), /c4r_sign_in=; Path=\S+ HttpOnly; SameSite=Strict; Max-Age=0/);
    refused(await finish(query, cookie), /did not confirm/);
  });

  it('refuses a browser that did not start it, or a cookie it did not make', async () => {
    const { location, cookie } = await start();
    const query = (await provider.logIn(location, 'eve')).search.slice(1);
    refused(await finish(query, ''), /did not start/);
    refused(await finish(query, `${cookie.slice(0, -4)}AAAA`), /did not start/);
    const sealed = api.app.secrets.seal('something else', '{}');
    refused(await finish(query, `c4r_sign_in=${sealed}`), /did not start/);
    assert.equal((await finish(query, cookie)).status, 200, 'it was good all along');
    for (const bad of ['error=access_denied', 'code=', '%%%', '=', 'code=a&code=b'])
      refused(await finish(bad, (await start()).cookie), /did not confirm/);
  });

  it('lets nobody new in where the settings say so', async () => {
    const closed = await openApi({ OIDC__DEFAULT_ROLE: 'none' });
    refused((await signIn('eve', closed)).answer, /not been invited/);
    await closed.ok('POST', '/users', { email: 'eve@corp.example' }, 201);
    assert.equal((await signIn('eve', closed)).answer.status, 200);
    const empty = await openApi({ OIDC__ALLOWED_DOMAINS: '' });
    refused((await signIn('eve', empty)).answer, /not been invited/);
  });

  it('takes roles from a claim, at every sign-in, and never the last admin away', async () => {
    const claims = { OIDC__ROLE_CLAIM: 'groups', OIDC__ROLE_MAP: 'crawl-ops=operator' };
    const mapped = await openApi(claims);
    const flo = (await signIn('flo', mapped)).answer.body.user;
    assert.equal(flo.role, 'operator');
    await mapped.ok('PATCH', `/users/${flo.id}`, { role: 'viewer' });
    assert.equal((await signIn('flo', mapped)).answer.body.user.role, 'operator');
    assert.equal((await signIn('gus', mapped)).answer.body.user.role, 'viewer');
    refused((await signIn('hal', mapped)).answer, /not verified/);
    assert.equal((await signIn('ida', mapped)).answer.body.user.role, 'admin');
    const gus = (await mapped.ok('GET', '/users?email=gus@corp.example')).items[0];
    await mapped.ok('PATCH', `/users/${gus.id}`, { role: 'admin' });
    const ida = (await mapped.ok('GET', '/users?email=ida@corp.example')).items[0];
    await mapped.ok('PATCH', `/users/${ida.id}`, { role: 'viewer' });
    assert.equal((await signIn('gus', mapped)).answer.body.user.role, 'admin', 'the last one stays');
  });

  it('goes through the guarded client, and says so when the provider does not answer', async () => {
    const guarded = await openApi({}, []);
    assert.equal((await start(guarded)).answer.body.code, 'PROVIDER_DOWN');
    const down = await openApi({ OIDC__ISSUER: 'http://127.0.0.1:1' }, ['127.0.0.1']);
    const admin = (await ensureFirstAdmin(down.app))!;
    const { answer } = await start(down);
    assert.deepEqual([answer.status, answer.body.code], [503, 'PROVIDER_DOWN']);
    assert.match(answer.body.hint, /email and password/);
    const payload = { email: admin.email, password: admin.password };
    assert.equal((await down.send({ method: 'POST', url: '/api/v1/auth/login', payload })).status, 200);
    assert.equal((await down.call('GET', '/auth/me')).body.sign_in_with, 'Corp');
  });

  it('is off unless it is set up', async () => {
    await using off = await createTestApi();
    assert.equal((await start(off)).answer.body.code, 'NOT_FOUND');
    assert.equal((await off.call('GET', '/auth/me')).body.sign_in_with, null);
    for (const env of [{ OIDC__ISSUER: 'http://login.example.com' }, { OIDC__ISSUER: 'https://login.example.com' }])
      assert.throws(() => loadSettings(env), { code: 'CONFIG_INVALID' });
  });

  it('leaves a provider that goes away to the log-in with a password', async () => {
    const { location, cookie } = await start();
    const query = (await provider.logIn(location, 'eve')).search.slice(1);
    await provider[Symbol.asyncDispose]();
    const answer = await finish(query, cookie);
    assert.deepEqual([answer.status, answer.body.code], [503, 'PROVIDER_DOWN']);
    const payload = { email: first.email, password: first.password };
    assert.equal((await api.send({ method: 'POST', url: '/api/v1/auth/login', payload })).status, 200);
  });
});
