import type { App } from '../app.ts';
import { type ProxySecret, toProxyAddress } from '../db/proxies/proxy-address.ts';
import { claimProxyChecks, recordProxyCheck } from '../db/proxies/proxy-health.ts';
import { toAppError } from '../errors.ts';
import { politeClient } from '../operations/polite-client.ts';
import { isRefusal } from '../operations/proxies/test-proxy.ts';

const AT_ONCE = 20;
const TIMEOUT_MS = 10_000;

/** Looks at proxies that failures turned off, each at most once per interval, and brings back those that answer. */
export async function checkProxies(app: App): Promise<number> {
  const { proxy: settings } = app.settings;
  const due = await claimProxyChecks(app.database, settings.checkEveryS, AT_ONCE);
  await Promise.all(
    due.map(async (proxy) => {
      const start = performance.now();
      const ok = await (settings.checkUrl === undefined ? takesConnections(app, proxy) : fetches(app, proxy));
      if (ok === undefined) return;
      await recordProxyCheck(app.database, proxy.id, ok, performance.now() - start, settings);
      app.log.info('proxy_checked', { proxy: proxy.id, ok });
    }),
  );
  return due.length;
}

/** The page used for checks is a site like any other. Undefined: it may not be requested now, so nothing is known. */
async function fetches(app: App, secret: ProxySecret): Promise<boolean | undefined> {
  const url = app.settings.proxy.checkUrl!;
  try {
    const options = { deadlineAt: performance.now() + TIMEOUT_MS, proxy: toProxyAddress(secret, app.secrets) };
    const response = await politeClient(app).visit(url, options, (way) =>
      app.fetcher.fetch({ ...way, url, timeoutMs: TIMEOUT_MS }),
    );
    return response.status < 500 && response.status !== 407;
  } catch (error) {
    app.log.debug('proxy_check_failed', { code: toAppError(error).code });
    return isRefusal(toAppError(error)) ? undefined : false;
  }
}

/** Sends nothing to any site: any response on the proxy's own port is enough. */
async function takesConnections(app: App, proxy: ProxySecret): Promise<boolean> {
  const url = new URL(proxy.url.replace(/^socks5h?:/, 'http:'));
  if (url.port === '' && proxy.url.startsWith('socks')) url.port = '1080';
  try {
    await app.fetcher.fetch({ url: url.href, maxRedirects: 0, timeoutMs: TIMEOUT_MS });
    return true;
  } catch (error) {
    return !toAppError(error).has('silent');
  }
}
