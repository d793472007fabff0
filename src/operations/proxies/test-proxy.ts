import { z } from 'zod';
import type { App } from '../../app.ts';
import { toProxyAddress } from '../../db/proxies/proxy-address.ts';
import { recordProxyCheck } from '../../db/proxies/proxy-health.ts';
import { findProxySecret } from '../../db/proxies/proxy-pool.ts';
import { type AppError, toAppError } from '../../errors.ts';
import { requireProxyUrl, requireUrl } from '../checked-url.ts';
import { found } from '../found.ts';
import { politeClient } from '../polite-client.ts';
import { Id } from '../schemas.ts';
import { ProxyUrl } from './proxy.ts';

export const TestProxyInput = z
  .strictObject({
    proxy_id: Id.optional().describe('A stored proxy; the outcome counts for its health.'),
    url: ProxyUrl.optional().describe('Or any proxy, with its credentials.'),
    target_url: z
      .url({ protocol: /^https?$/ })
      .default('https://example.com/')
      .describe('What is fetched through it.'),
    timeout_ms: z.number().int().min(100).max(60_000).default(10_000),
  })
  .refine((input) => (input.proxy_id === undefined) !== (input.url === undefined), {
    path: ['url'],
    message: 'give either url or proxy_id',
  });

export const ProxyTest = z
  .object({
    ok: z.boolean(),
    status: z.number().int().nullable().describe('What the target answered.'),
    response_ms: z.number(),
    code: z.string().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'ProxyTest' });

/**
 * Fetches a page through a proxy. A proxy that does not work is an answer, not an error; a site that may not be requested now
 * (blocked, waiting, forbidden by robots.txt) says nothing about the proxy, and is an error.
 */
export async function testProxy(app: App, input: z.output<typeof TestProxyInput>): Promise<z.output<typeof ProxyTest>> {
  requireUrl(app.guard, input.target_url, 'target_url');
  if (input.url !== undefined) requireProxyUrl(app.guard, input.url);
  const proxy = input.url ?? (await addressOf(app, input.proxy_id!));
  const start = performance.now();
  const elapsed = () => Math.round(performance.now() - start);
  let result: z.output<typeof ProxyTest>;
  try {
    const { target_url: url, timeout_ms: timeoutMs } = input;
    const deadlineAt = start + timeoutMs;
    const response = await politeClient(app).visit(url, { deadlineAt, proxy }, (way) =>
      app.fetcher.fetch({ ...way, url, timeoutMs }),
    );
    const ok = response.status < 500 && response.status !== 407;
    result = { ok, status: response.status, response_ms: elapsed(), code: null, error: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (isRefusal(error)) throw error;
    const { code, message } = error;
    result = { ok: false, status: null, response_ms: elapsed(), code, error: message };
  }
  if (input.proxy_id !== undefined)
    await recordProxyCheck(app.database, input.proxy_id, result.ok, result.response_ms, app.settings.proxy);
  return result;
}

/** The site may not be requested, so the proxy was not tried. */
export const isRefusal = (error: AppError) =>
  error.category === 'robots' || (error.has('held_off') && error.code !== 'PROXY_FAILED');

async function addressOf(app: App, id: string): Promise<string> {
  return toProxyAddress(found(await findProxySecret(app.database, id), 'proxy', id), app.secrets);
}
