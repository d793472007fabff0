import { Parser } from 'htmlparser2';
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
  let current: { url: string; text: string } | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      const href = attributes.href === undefined ? undefined : resolveHref(attributes.href, base);
      if (href === undefined) return;
      if (name === 'base') base = href;
      else if ((name === 'a' || name === 'area') && result.links.length < MAX_LINKS) {
        current = { url: href, text: attributes['aria-label'] ?? attributes.title ?? '' };
        result.links.push(current);
      } else if (name === 'link' && /\balternate\b/i.test(attributes.rel ?? '')) {
        if (FEED_TYPE.test(attributes.type ?? '') && result.feeds.length < 50) result.feeds.push(href);
        else if (attributes.hreflang !== undefined && result.links.length < MAX_LINKS)
          result.links.push({ url: href, text: '', language: attributes.hreflang });
      }
    },
    ontext(text) {
      if (current !== undefined && current.text.length < MAX_TEXT) current.text += text;
    },
    onclosetag(name) {
      if (name !== 'a' || current === undefined) return;
      current.text = current.text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
      current = undefined;
    },
  });
  parser.end(new TextDecoder().decode(body));
  return result;
}
