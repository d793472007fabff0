import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';
import type { ExtractPool } from '../../pipeline/extract/pool.ts';
import type { ReadPage } from '../../pipeline/extract/types.ts';
import { parseRobots } from '../../pipeline/fetch/robots.ts';
import type { Fetcher, FetchResponse } from '../../ports/fetcher.ts';
import type { Guard } from '../../web/guard.ts';
import { parseUrl } from '../../web/url.ts';

interface Web {
  guard: Guard;
  fetcher: Fetcher;
  browser: Fetcher;
  extractor: ExtractPool;
}

/** One page, read and not kept. A page that is empty without its scripts is opened in the browser when `render` is auto. */
export async function scrapePage(
  web: Web,
  settings: Settings,
  address: string,
  render: 'never' | 'auto' | 'always',
): Promise<{ response: FetchResponse; page: ReadPage }> {
  const parsed = parseUrl(/^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`);
  if (!parsed.ok) throw new AppError(parsed.code, `"${address}" cannot be fetched: ${parsed.reason}`);
  const verdict = web.guard.checkUrl(new URL(parsed.url));
  if (!verdict.allowed) throw new AppError('URL_BLOCKED', `"${address}" is refused: ${verdict.reason}`);
  const allowed = askRobots(web, settings);
  await allowed(parsed.url);
  const onRedirect = async (_from: string, to: string) => {
    await allowed(to);
    return {};
  };
  const read = async (fetcher: Fetcher) => {
    const response = await fetcher.fetch({ url: parsed.url, onRedirect });
    const raw = { url: response.url, contentType: response.headers['content-type'], body: response.body };
    return { response, page: await web.extractor.extract(raw, { keepText: true }) };
  };
  if (render === 'always') return read(web.browser);
  const plain = await read(web.fetcher);
  if (render === 'never' || !plain.page.needsScripts) return plain;
  return read(web.browser).catch((error: unknown) => {
    // Without a browser the bare page is still the best there is.
    if (error instanceof AppError && error.code === 'BROWSER_MISSING') return plain;
    throw error;
  });
}

/** Refuses what a site's robots.txt forbids; each origin is asked once. */
function askRobots(web: Web, settings: Settings): (url: string) => Promise<void> {
  const files = new Map<string, Promise<FetchResponse | undefined>>();
  return async (url) => {
    const { origin } = new URL(url);
    const asking =
      files.get(origin) ??
      web.fetcher.fetch({ url: `${origin}/robots.txt` }).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'TOO_MANY_REDIRECTS') return undefined;
        throw error;
      });
    files.set(origin, asking);
    const file = await asking;
    if (file === undefined || (file.status >= 300 && file.status < 500 && file.status !== 429)) return;
    if (file.status >= 300) throw new AppError('ROBOTS_UNAVAILABLE', `${origin}/robots.txt answered ${file.status}`);
    if (!parseRobots(file.body, settings.userAgent).allows(url))
      throw new AppError('ROBOTS_DISALLOWED', `${origin}/robots.txt forbids ${new URL(url).pathname}`);
  };
}
