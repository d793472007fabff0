import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('discovery and media over HTTP', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) });
  });
  after(() => api[Symbol.asyncDispose]());

  it('plans a discovery once per Idempotency-Key and shows it', async () => {
    const body = { domain: 'example.com', sources: ['sitemap', 'feeds'], pattern: '/blog/*' };
    const first = await api.call('POST', '/discover', body, { 'idempotency-key': 'same' });
    assert.equal(first.status, 202, first.text);
    const again = await api.call('POST', '/discover', body, { 'idempotency-key': 'same' });
    assert.equal(again.body.id, first.body.id);
    const shown = await api.call('GET', `/discover/${first.body.id}`);
    assert.equal(shown.status, 200, shown.text);
    assert.deepEqual(
      [shown.body.status, shown.body.max_urls, shown.body.urls_found, shown.body.result, shown.body.pattern],
      ['pending', 500, 0, null, '/blog/*'],
    );
    const other = await api.call('GET', '/discover/01920000-0000-7000-8000-000000000000');
    assert.equal(other.body.code, 'NOT_FOUND');
  });

  it('refuses what it cannot look for', async () => {
    const wrong = [
      {},
      { domain: '' },
      { domain: 'x', sources: [] },
      { domain: 'x', sources: ['gopher'] },
      { domain: 'x', max_urls: 0 },
    ];
    for (const body of wrong) assert.equal((await api.call('POST', '/discover', body)).body.code, 'VALIDATION_FAILED');
    const reader = { authorization: `Bearer ${api.keys.read}` };
    assert.equal((await api.call('POST', '/discover', { domain: 'example.com' }, reader)).status, 403);
  });

  it('scores addresses, best first', async () => {
    const { body } = await api.call('POST', '/discover/score', {
      urls: ['https://example.com/about', { url: 'https://example.com/1', title: 'Solar panels' }],
      query: 'solar panel',
      score_threshold: 0.1,
    });
    assert.deepEqual(
      body.results.map(({ url }: { url: string }) => url),
      ['https://example.com/1'],
    );
    assert.equal((await api.call('POST', '/discover/score', { urls: ['x'], query: ' ' })).status, 400);
  });

  it('takes no picture of what the guard refuses', async () => {
    for (const path of ['/screenshot', '/pdf', '/execute-js']) {
      const body = { url: 'http://169.254.169.254/latest', ...(path === '/execute-js' && { scripts: ['1'] }) };
      const answer = await api.call('POST', path, body);
      assert.equal(answer.body.code, 'URL_BLOCKED', answer.text);
      assert.equal((await api.call('POST', path, { ...body, url: 'file:///etc/passwd' })).status, 400);
    }
  });
});
