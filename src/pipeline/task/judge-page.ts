import { AppError } from '../../errors.ts';
import type { Link, ReadPage } from '../extract/types.ts';

/** Why a page that was read is not kept as a document. */
export function refusalOf(page: ReadPage, languages: readonly string[]): AppError | undefined {
  if (page.metadata.noindex === true) return new AppError('NOINDEX', 'the page asks not to be indexed');
  if (page.language !== undefined && page.language !== 'und' && !isKept(page.language, languages))
    return new AppError(
      'LANGUAGE_SKIPPED',
      `the page is in ${page.language}, which is not among the languages to keep`,
    );
  if (!page.hasText) return new AppError('CONTENT_EMPTY', 'the page holds no text');
  return undefined;
}

const isKept = (language: string, languages: readonly string[]) =>
  languages.includes('*') || languages.includes(language.toLowerCase().split('-')[0]!);

/** The links a page has, as they are kept. */
export function linksOf(page: ReadPage, languages: readonly string[]): Link[] {
  const found = withAlternates(page, languages);
  // Kept with each link: a page that has not changed sends no header and no markup again.
  return page.metadata.nofollow === true ? found.map(unfollowed) : found;
}

/** Linked from its head alone: the same page in other languages, where those are kept (hreflang), and its canonical address. */
function withAlternates({ links, metadata, canonical }: ReadPage, languages: readonly string[]): Link[] {
  const others = (metadata.alternates ?? []).filter(
    ({ language }) => language === 'x-default' || isKept(language, languages),
  );
  const heads = others.map(({ url }) => ({ url, text: '', rel: 'alternate' }));
  if (canonical !== undefined) heads.unshift({ url: canonical, text: '', rel: 'canonical' });
  return heads.length === 0 ? links : [...links, ...heads];
}

const unfollowed = (link: Link): Link =>
  /\bnofollow\b/.test(link.rel) ? link : { ...link, rel: `${link.rel} nofollow`.trim() };
