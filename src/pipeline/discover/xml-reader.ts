/** What makes sense of a document while the scanner walks it. */
export interface XmlReader {
  onOpen(name: string, attributes: Record<string, string>): void;
  onText(text: string): void;
  onClose(name: string): void;
}

const FEED_ROOTS = new Set(['rss', 'rdf', 'feed', 'channel', 'rdf:rdf', 'atom:feed', 'entry']);

export const isFeedRoot = (name: string) => FEED_ROOTS.has(name);

/** An address as written in a document → absolute http(s), or undefined. */
export function resolveHref(written: string, base: string): string | undefined {
  const value = written.trim();
  if (value === '' || value.length > 8_192 || !URL.canParse(value, base)) return undefined;
  const url = new URL(value, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/**
 * An address as sitemaps write it. They must be whole, so `www.example.com/x` lacks its scheme and is no file name; an
 * entity that was not expanded is no address at all.
 */
export function resolveLocation(written: string, base: string): string | undefined {
  const value = written.trim();
  if (/^&[^;\s]*;/.test(value)) return undefined;
  return resolveHref(/^www\./i.test(value) ? `${new URL(base).protocol}//${value}` : value, base);
}
