import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadSettings } from '../../../src/config/load.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

const PAGES = join(import.meta.dirname, '../../../src/surfaces/http/page');
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

describe('headers', () => {
  let api: TestApi;
  before(async () => {
    const { settings } = loadSettings({ APP_ENV: 'test', HTTP__TRUST_PROXY: '127.0.0.1' });
    api = await createTestApi({ settings });
  });
  after(() => api[Symbol.asyncDispose]());

  const ask = (url: string, headers: Record<string, string> = {}) => api.send({ method: 'GET', url, headers });
  /** The policy as a table: directive → its values. */
  const policyOf = (value: unknown) =>
    Object.fromEntries(
      String(value)
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
    );

  it('are on every answer: pages, files, routes, refusals and faults', async () => {
    const key = { authorization: `Bearer ${api.keys.admin}` };
    const answers = [
      ...(await Promise.all(['/', '/docs', '/login', '/favicon.svg', '/page/style.css'].map((url) => ask(url)))),
      ...(await Promise.all(
        ['/tags', '/crawls', '/documents', '/openapi.json', '/health'].map((url) => ask(`/api/v1${url}`, key)),
      )),
      await ask('/api/v1/tags'),
      await ask('/api/v1/nothing-here'),
      await ask('/api/v1/tags', { ...key, host: 'elsewhere.example' }),
      await ask('/%'),
      await api.send({ method: 'DELETE', url: '/api/v1/tags', headers: key }),
      await api.call('POST', '/tags', { name: 7 }),
    ];
    for (const { status, headers, text } of answers) {
      const seen = `${status} ${text.slice(0, 100)}`;
      for (const [name, value] of Object.entries(ALWAYS)) assert.equal(headers[name], value, `${name}: ${seen}`);
      assert.match(String(headers['permissions-policy']), /camera=\(\).*microphone=\(\)/, seen);
      assert.match(String(headers['x-request-id']), /^[\w.-]{8,64}$/, seen);
      assert.deepEqual([headers.server, headers['x-powered-by']], [undefined, undefined], seen);
      const policy = policyOf(headers['content-security-policy']);
      assert.deepEqual(
        [policy['default-src'], policy['frame-ancestors'], policy['base-uri']],
        ["'none'", "'none'", "'none'"],
      );
    }
  });

  it('let pages run and load what is ours, and turn no text into code', async () => {
    for (const page of ['/', '/docs', '/login']) {
      const policy = policyOf((await ask(page)).headers['content-security-policy']);
      for (const kind of ['script-src', 'style-src', 'img-src', 'connect-src', 'form-action'])
        assert.equal(policy[kind], "'self'", `${page} ${kind}`);
      assert.equal(policy['require-trusted-types-for'], "'script'");
    }
    // What the policy refuses must not be needed: no inline code or style, nothing from elsewhere, no text as markup.
    for (const file of readdirSync(PAGES)) {
      const text = readFileSync(join(PAGES, file), 'utf8');
      assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, file);
      if (!file.endsWith('.html')) continue;
      assert.doesNotMatch(
        text,
        /<script(?![^>]*\ssrc="\/)|<style|\sstyle=|\son\w+=|(?:src|href)="(?:data|https?):/i,
        file,
      );
    }
    assert.doesNotMatch(readFileSync(join(PAGES, 'style.css'), 'utf8'), /url\(\s*["']?(?:data|https?):/);
  });

  it('ask browsers to come back by TLS alone, where they came by TLS', async () => {
    assert.equal((await ask('/')).headers['strict-transport-security'], undefined);
    const behind = await ask('/', { 'x-forwarded-proto': 'https' });
    assert.equal(behind.headers['strict-transport-security'], 'max-age=31536000');
    const stranger = await api.send({
      method: 'GET',
      url: '/',
      remoteAddress: '203.0.113.1',
      headers: { 'x-forwarded-proto': 'https' },
    });
    assert.equal(stranger.headers['strict-transport-security'], undefined, 'anyone can say so');
  });
});
