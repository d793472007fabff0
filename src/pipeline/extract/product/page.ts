import { collapse, type Document, type Element, isText, textOf, walkElements } from '../dom.ts';
import type { PageHead } from '../page-head.ts';

/** What every product source reads from: the page, and what is already known about it. */
export interface ProductPage {
  document: Document;
  head: PageHead;
  url: string;
  title: string;
  /** Two letters, lower case: the site's country, from its address or its language. */
  country: string | undefined;
  /** The page's main heading, when it has one. */
  heading: Element | undefined;
  headingText: string;
  resolve(href: string): string | undefined;
}

const GENERIC_ENDINGS = new Set(['io', 'co', 'me', 'tv', 'ai', 'cc', 'ly', 'gg', 'fm', 'to', 'sh']);

/** The country a site sells in: its top-level domain, else the region of its language ("en-GB", "en_GB"). */
export function readCountry(url: string, languages: readonly (string | undefined)[]): string | undefined {
  let host = '';
  try {
    const address = new URL(url);
    host = address.hostname;
    // Shops with one domain put the country first in the path: /gb/en/, /en-ie/.
    const first = /^\/(?:([a-z]{2})\/[a-z]{2}|[a-z]{2}[-_]([a-z]{2}))(?:\/|$)/i.exec(address.pathname);
    const inPath = (first?.[1] ?? first?.[2])?.toLowerCase();
    const ending = host.slice(host.lastIndexOf('.') + 1);
    if (ending.length === 2 && !GENERIC_ENDINGS.has(ending)) return ending;
    if (inPath !== undefined) return inPath;
  } catch {
    // A page without a proper address still has a language.
  }
  for (const language of languages) {
    const region = /^[a-z]{2,3}[-_](?:[a-z]{4}[-_])?([a-z]{2})$/i.exec(language?.trim() ?? '')?.[1];
    if (region !== undefined) return region.toLowerCase();
  }
  return undefined;
}

/** The heading that names the page: the h1 most like its title, or a smaller heading that is much like it. */
export function pickHeading(head: PageHead, title: string): Element | undefined {
  const wanted = wordsOf(`${title} ${head.titles[0] ?? ''}`);
  let best: { heading: Element; likeness: number } | undefined;
  for (const heading of head.headings) {
    const text = textOf(heading);
    if (text === '') continue;
    const words = wordsOf(text);
    const shared = [...words].filter((word) => wanted.has(word)).length;
    const likeness =
      (words.size === 0 ? 0 : shared / words.size) + Math.min(shared, 8) / 20 + (heading.name === 'h1' ? 0.5 : 0);
    if (best === undefined || likeness > best.likeness) best = { heading, likeness };
  }
  return best === undefined || (best.heading.name !== 'h1' && best.likeness < 0.75) ? undefined : best.heading;
}

/** On a page without headings: the element that holds just the title, or the longest part of it between separators. */
export function findTitle(document: Document, titles: readonly string[]): Element | undefined {
  const parts = titles.flatMap((title) => [title, ...title.split(/\s[-|–—·:]\s/)]);
  const wanted = new Set(parts.map(collapse).filter((text) => text.length > 3));
  let best: { element: Element; length: number } | undefined;
  for (const element of walkElements(document)) {
    const only = element.children.length === 1 ? element.children[0]! : undefined;
    if (only === undefined || !isText(only) || element.name === 'title' || only.data.length > 500) continue;
    const text = collapse(only.data);
    if (text.length > (best?.length ?? 0) && wanted.has(text)) best = { element, length: text.length };
  }
  return best?.element;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
