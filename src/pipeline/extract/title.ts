import { stripEnd } from '../../text/strip-end.ts';
import { collapse, textOf } from './dom.ts';
import { headingText as readHeading } from './links.ts';
import { firstMeta, type PageHead } from './page-head.ts';

/** Matched with collapsed text, which has no double spaces. */
const SEPARATOR = /\s[|–—·•»›:]+\s|\s-+\s|\s?[|»]\s/;
/** Each part of a title is held against the site's names: longer ones are no titles. */
const MAX_TITLE = 1_000;

/** The page's title without the site's name: og:title, then title, then the first h1. */
export function readTitle(head: PageHead, url: string): string {
  const raw = firstMeta(head, 'og:title', 'twitter:title') ?? head.titles.find((title) => title !== '');
  const heading = headingText(head);
  if (raw === undefined) return heading ?? firstMeta(head, 'dc.title') ?? anyHeading(head) ?? '';
  return withoutSiteName(raw, heading, () => siteNames(head, url));
}

function headingText(head: PageHead): string | undefined {
  for (const heading of head.headings) {
    if (heading.name !== 'h1') continue;
    const text = readHeading(heading);
    if (text !== '') return text;
  }
  return undefined;
}

const anyHeading = (head: PageHead): string | undefined => head.headings.map(textOf).find((text) => text !== '');

function siteNames(head: PageHead, url: string): string[] {
  const named = ['og:site_name', 'application-name', 'twitter:site', 'apple-mobile-web-app-title'].map((name) =>
    firstMeta(head, name),
  );
  let host = '';
  try {
    host = new URL(url).hostname.replace(/^www\d?\./, '');
  } catch {
    // Uploads need no address.
  }
  return [...named, host, host.split('.')[0], host.split('.').at(-2)]
    .filter((name) => name !== undefined)
    .map(key)
    .filter((name) => name.length > 1);
}

/** Letters and digits only: "The Guardian" and theguardian.com are the same name. */
const key = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** `readSites` is called for titles of several parts only: most have one. */
function withoutSiteName(raw: string, heading: string | undefined, readSites: () => readonly string[]): string {
  const title = collapse(raw).slice(0, MAX_TITLE);
  const parts = title.split(SEPARATOR).filter((part) => part !== '');
  if (parts.length < 2) return title;
  // The heading is the title if the title has it; at the end it is the site's name, on sites with one heading for all.
  const at = heading === undefined ? -1 : parts.findIndex((part) => key(part) === key(heading));
  if (heading !== undefined && heading.length >= 4 && at >= 0 && at < parts.length - 1) return heading;
  if (heading !== undefined && heading.length >= 10 && title.startsWith(heading)) return heading;
  const sites = readSites();
  const isSite = (part: string): boolean =>
    (at === parts.length - 1 && key(part) === key(heading ?? '')) ||
    sites.some(
      (site) =>
        key(part) === site || (site.length > 4 && key(part).startsWith(site) && key(part).length < site.length + 20),
    );
  const last = parts.at(-1)!;
  if (isSite(last))
    return withoutSiteName(stripEnd(title.slice(0, title.lastIndexOf(last)), /[\s|–—·•»›:-]/), heading, () => sites);
  if (isSite(parts[0]!)) return title.slice(title.indexOf(parts[0]!) + parts[0]!.length).replace(/^[\s|–—·•»›:-]+/, '');
  // A bar hardly ever stands inside a title.
  const bar = title.lastIndexOf(' | ');
  return bar >= 10 ? title.slice(0, bar).trim() : title;
}
