import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../errors.ts';
import type { Feedback, PageOutcome } from '../outcome.ts';
import { toProxyHealth } from './proxy-health.ts';

const outcome = (proxyId: string | null, feedback: Feedback, error?: AppError) =>
  ({ task: { domain_id: 'd', proxy_id: proxyId }, feedback, error }) as unknown as PageOutcome;

const ok = outcome('p', { ok: true, latencyMs: 40 });
const failed = outcome('p', { failedProxy: 'p' }, new AppError('PROXY_FAILED', 'hung up'));
const silent = outcome('p', { ok: false }, new AppError('TIMEOUT', 'nothing came'));
const broken = outcome('p', { ok: false }, new AppError('HTTP_5XX', 'the site answered with 500'));
const empty = { proxy_id: 'p', response_ms: null };

test('failures count from the last success on', () => {
  const { pairs, proxies } = toProxyHealth([failed, ok, failed, failed]);
  assert.deepEqual(proxies, [{ proxy_id: 'p', successes: 1, trailing_failures: 2, response_ms: 40 }]);
  assert.deepEqual(pairs, [{ ...proxies[0], domain_id: 'd' }]);
});

test('a site that does not answer counts for the domain only, one that answers with an error for nobody', () => {
  const { pairs, proxies } = toProxyHealth([silent, broken]);
  assert.deepEqual(pairs, [{ ...empty, successes: 0, trailing_failures: 1, domain_id: 'd' }]);
  assert.deepEqual(proxies, []);
});

test('the proxy that failed is blamed, not the one the task was given', () => {
  const { proxies } = toProxyHealth([outcome('p', { failedProxy: 'q' }, new AppError('PROXY_FAILED', 'refused'))]);
  assert.deepEqual(proxies, [{ proxy_id: 'q', successes: 0, trailing_failures: 1, response_ms: null }]);
});

test('pages that came without a proxy, or without a request, say nothing', () => {
  assert.deepEqual(toProxyHealth([outcome(null, { ok: true }), outcome('p', {})]), { pairs: [], proxies: [] });
});
