import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import type { EventRow } from '../../../src/db/events/read-events.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { route } from '../../../src/surfaces/http/route.ts';
import { ROUTES } from '../../../src/surfaces/http/routes/index.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { openStream } from '../../support/event-stream.ts';
import { readLog } from '../../support/events.ts';

/** Answers less careful than ours, so that each thing the trail hides is seen to be hidden by it. */
const Careless = z.object({ id: z.string(), sent_headers: z.record(z.string(), z.string()), password: z.string() });
let careless: z.output<typeof Careless> = {
  id: '1',
  sent_headers: { 'x-own': 'header-before' },
  password: 'pass-before',
};
const shared = { summary: 'Careless', tag: 'admin', access: 'admin', bound: 'refused' } as const;
const at = { path: '/careless/:id', params: z.object({ id: z.string() }), response: Careless };
const CARELESS = [
  route({ ...shared, ...at, method: 'GET', id: 'getCareless', handler: async () => careless }),
  route({
    ...shared,
    ...at,
    method: 'PUT',
    id: 'putCareless',
    handler: async () => (careless = { id: '1', sent_headers: { 'x-own': 'header-after' }, password: 'pass-after' }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/careless',
    id: 'postCareless',
    response: z.object({ id: z.string(), hint: z.string() }),
    handler: async () => ({ id: '1', hint: 'said-once' }),
  }),
];

describe('the audit trail', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) }, { routes: [...ROUTES, ...CARELESS] });
  });
  after(() => api[Symbol.asyncDispose]());

  type Action = Extract<EventRow, { kind: 'admin.action' }>;
  const actions = async () =>
    (await readLog(api.app.database)).filter((event): event is Action => event.kind === 'admin.action');
  /** What one request left behind. */
  const trailOf = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const known = (await actions()).length;
    const answer = await api.call(method, path, body, headers);
    return { answer, trail: (await actions()).slice(known) };
  };

  it('says who changed what, and how it was before', async () => {
    await api.call('PUT', '/domains/audit.example', { rate_limit_rps: 2, parser: null });
    const { answer, trail } = await trailOf('PUT', '/domains/audit.example', { rate_limit_rps: 3 });
    assert.equal(answer.status, 200, answer.text);
    const [{ actor, data } = {} as Action] = trail;
    assert.equal(trail.length, 1);
    assert.match(actor, /^key:/);
    assert.deepEqual(
      [data.operation, data.path, data.status, data.code, data.request_id],
      ['updateDomain', '/api/v1/domains/audit.example', 200, null, answer.headers['x-request-id']],
    );
    assert.deepEqual([data.before?.rate_limit_rps, data.after?.rate_limit_rps], [2, 3]);
    assert.equal('parser' in data.before!, false, 'what stayed is left out');
    const { trail: gone } = await trailOf('POST', '/domains/audit.example/block', { reason: 'rude' });
    assert.deepEqual([gone[0]?.data.before?.is_blocked, gone[0]?.data.after?.is_blocked], [false, true]);
  });

  it('has what was refused, once; not what only reads', async () => {
    const missing = '/crawl/01920000-0000-7000-8000-000000000000/cancel';
    const { trail } = await trailOf('POST', missing);
    assert.deepEqual(
      trail.map(({ data }) => [data.operation, data.status, data.code, data.before, data.after]),
      [['cancelCrawl', 404, 'NOT_FOUND', null, null]],
    );
    assert.deepEqual((await trailOf('GET', '/crawls')).trail, []);
    assert.deepEqual((await trailOf('POST', '/discover/score', { urls: ['https://example.com/'] })).trail, []);
    const again = { 'idempotency-key': 'same' };
    const first = await trailOf('POST', '/tags', { name: 'audited' }, again);
    const second = await trailOf('POST', '/tags', { name: 'audited' }, again);
    assert.deepEqual([first.trail.length, second.trail.length], [1, 0]);
  });

  it('holds no secret', async () => {
    const made = await api.call('POST', '/api-keys', { name: 'spy', scopes: ['read'] });
    const password = 'hunter2-hunter2';
    const at = { name: 'p', url: 'http://proxy.example:8080', username: 'me' };
    const proxy = await api.call('POST', '/proxies', { ...at, password });
    const renewed = await api.call('PUT', `/proxies/${proxy.body.id}`, { ...at, name: 'q', password: `${password}-2` });
    const link = await api.call('POST', '/auth/login-link');
    const source = await api.call('POST', '/sources', { name: 's', url: 'https://example.com/' });
    const headers = { 'x-own': 'header-secret-value' };
    const hook = await api.call('POST', `/sources/${source.body.id}/webhooks`, {
      url: 'https://example.com/h',
      headers,
    });
    const own = (value: string) => ({
      name: 'c',
      options: { headers: { 'x-key': value }, headers_origin: 'https://example.com' },
    });
    const config = await api.call('POST', '/configs', own('config-secret'));
    await api.call('PUT', `/configs/${config.body.id}`, own('other-secret'));
    await api.call('POST', '/auth/login', { email: 'a@b.c', password });
    for (const { status, text } of [made, proxy, renewed, link, source, hook, config]) assert.ok(status < 300, text);
    const told = JSON.stringify(await actions());
    assert.ok(told.includes('createApiKey') && told.includes('createWebhook'), told);
    const secrets = [
      made.body.key,
      hook.body.secret,
      password,
      ...Object.values(headers),
      'config-secret',
      'other-secret',
      link.body.path.split('token=')[1],
    ];
    assert.ok(secrets.every((secret) => typeof secret === 'string' && secret.length > 5));
    assert.deepEqual(
      secrets.filter((secret) => told.includes(secret)),
      [],
    );
  });

  it('hides what an answer should not have shown', async () => {
    const { trail } = await trailOf('PUT', '/careless/1');
    assert.deepEqual(
      [trail[0]?.data.before, trail[0]?.data.after],
      [{ sent_headers: ['x-own'] }, { sent_headers: ['x-own'] }],
    );
    const { trail: made } = await trailOf('POST', '/careless');
    assert.deepEqual(made[0]?.data.after, { id: '1' });
  });

  it('is for admins: others neither list it nor hear it', async () => {
    const list = async (key: 'read' | 'write' | 'admin') =>
      (await api.call('GET', '/events?kinds=admin.action', undefined, { authorization: `Bearer ${api.keys[key]}` }))
        .body.items.length as number;
    assert.deepEqual([await list('read'), await list('write')], [0, 0]);
    assert.ok((await list('admin')) > 0);
    const { origin } = await listen(api.server, { host: '127.0.0.1', port: 0 });
    const reader = await openStream(origin, '/events/stream', api.keys.read, 0);
    const admin = await openStream(origin, '/events/stream', api.keys.admin, 0);
    const all = await readLog(api.app.database);
    await admin.until(({ length }) => length >= all.length);
    const open = all.filter(({ kind }) => kind !== 'admin.action');
    await reader.until(({ length }) => length >= open.length);
    assert.deepEqual(
      reader.heard.map(({ event }) => event),
      open.map(({ kind }) => kind),
    );
    for (const client of [reader, admin]) {
      client.cut();
      await client.closed;
    }
  });
});
