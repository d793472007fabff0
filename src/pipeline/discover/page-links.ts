import { type ChildNode, type Element, parseHtml } from '../../web/html/parse-html.ts';
import { resolveHref } from './xml-reader.ts';

export interface PageLinks {
  links: { url: string; text: string; language?: string }[];
  /** Feeds the page names. */
  feeds: string[];
}

const FEED_TYPE = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)/i;
const MAX_LINKS = 10_000;
const MAX_TEXT = 300;

/** The links of a page, in order, with their text; scripts do not run. */
export function readPageLinks(body: Uint8Array, url: string): PageLinks {
  const result: PageLinks = { links: [], feeds: [] };
  let base = url;
  const take = (element: Element): void => {
    const { name, attribs } = element;
    const href = attribs.href === undefined ? undefined : resolveHref(attribs.href, base);
    if (href === undefined) return;
    if (name === 'base') base = href;
    else if ((name === 'a' || name === 'area') && result.links.length < MAX_LINKS)
      result.links.push({ url: href, text: linkText(element) });
    else if (name === 'link' && /\balternate\b/i.test(attribs.rel ?? '')) {
      if (FEED_TYPE.test(attribs.type ?? '') && result.feeds.length < 50) result.feeds.push(href);
      else if (attribs.hreflang !== undefined && result.links.length < MAX_LINKS)
        result.links.push({ url: href, text: '', language: attribs.hreflang });
    }
  };
  // The parser bounds the depth of a tree, so this may recurse.
  const visit = (nodes: readonly ChildNode[]): void => {
    for (const node of nodes)
      if ('attribs' in node) {
        take(node);
        visit(node.children);
      }
  };
  visit(parseHtml(new TextDecoder().decode(body)).children);
  return result;
}

function linkText(link: Element): string {
  const { attribs } = link;
  let text = attribs['aria-label'] ?? attribs.title ?? '';
  const add = (nodes: readonly ChildNode[]): void => {
    for (const node of nodes) {
      if (text.length >= MAX_TEXT) return;
      if (node.type === 'text') text += (node as { data: string }).data;
      else if ('attribs' in node) add(node.children);
    }
  };
  add(link.children);
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
}
