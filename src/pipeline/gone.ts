import type { AppError } from '../errors.ts';
import { hashUrl, parseUrl } from '../web/url.ts';
import type { PageBody } from './fetch/fetch-page.ts';
import type { PageOutcome } from './outcome.ts';

type Gone = Pick<PageOutcome, 'gone'>;

/**
 * What a failure shows to be gone: 404 and 410 count for the requested address and for the one that
 * answered, where redirects led. Every other failure may be temporary, so the document stays.
 */
export function goneByFailure(taskUrl: string, { failure }: AppError): Gone {
  if (failure?.status !== 404 && failure?.status !== 410) return {};
  const answered = failure.url ?? taskUrl;
  return { gone: hashesOf(taskUrl, answered).map((url_hash) => ({ url_hash, reason: 'not_found' as const })) };
}

/**
 * What a fetched page shows to be gone. A permanent redirect moves the document to where it leads; a temporary
 * one (to a login, to another country's shop) leaves it as it was. A page with noindex is removed at once.
 */
export function goneByPage(taskUrl: string, body: PageBody, noindex: boolean): Gone {
  if (noindex)
    return { gone: hashesOf(taskUrl, body.url).map((url_hash) => ({ url_hash, reason: 'noindex' as const })) };
  const [asked, ...elsewhere] = hashesOf(taskUrl, body.url);
  if (!body.moved || asked === undefined || elsewhere.length === 0) return {};
  return { gone: [{ url_hash: asked, reason: 'moved' }] };
}

/** Hashes of the addresses, each once, in order. */
function hashesOf(...urls: string[]): string[] {
  const normalized = urls.flatMap((url) => {
    const parsed = parseUrl(url);
    return parsed.ok ? [parsed.url] : [];
  });
  return [...new Set(normalized)].map((url) => hashUrl(url).toString('hex'));
}
