import { AppError } from '../../errors.ts';
import type { ExtractPool } from '../../pipeline/extract/pool.ts';
import type { ReadPage } from '../../pipeline/extract/types.ts';
import type { PoliteClient } from '../../pipeline/fetch/polite-client.ts';
import type { Fetcher, FetchResponse } from '../../ports/fetcher.ts';
import { parseUrl } from '../../web/url.ts';

interface Web {
  polite: PoliteClient;
  fetcher: Fetcher;
  browser: Fetcher;
  extractor: ExtractPool;
}

/** Longest wait for the site's turn: robots.txt may require a minute between requests, and there are three at most. */
const PATIENCE_MS = 180_000;

/** One page, read and not kept. A page that is empty without its scripts is opened in the browser when `render` is auto. */
export async function scrapePage(
  web: Web,
  address: string,
  render: 'never' | 'auto' | 'always',
  { patienceMs = PATIENCE_MS, signal }: { patienceMs?: number; signal?: AbortSignal } = {},
): Promise<{ response: FetchResponse; page: ReadPage }> {
  const parsed = parseUrl(/^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`);
  if (!parsed.ok) throw new AppError(parsed.code, `"${address}" cannot be fetched: ${parsed.reason}`);
  const deadlineAt = performance.now() + patienceMs;
  const read = async (fetcher: Fetcher) => {
    const response = await web.polite.visit(parsed.url, { deadlineAt, signal }, (way) =>
      fetcher.fetch({ ...way, url: parsed.url }),
    );
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
