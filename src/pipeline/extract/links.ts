import { collapse, type Element, textOf } from './dom.ts';
import type { PageHead } from './page-head.ts';
import type { ResolveUrl } from './render/inline.ts';
import type { ExtractedPage, Heading, Link } from './types.ts';

/** Where the caller names no limit. */
const MAX_LINKS = 1_000;
/** Links past the limit are compared for duplicates up to this number, then only counted. */
const MAX_BEYOND = 20_000;
const MAX_SAMPLES = 20;
const MAX_ANCHOR_TEXT = 300;
const MAX_HEADINGS = 500;

/** Absolute addresses, remembered: a page links to the same places again and again. */
export function createResolver(pageUrl: string, baseHref: string | undefined): ResolveUrl {
  const base = baseOf(pageUrl, baseHref);
  const origin = base?.origin;
  const known = new Map<string, string | undefined>();
  return (href) => {
    if (known.has(href)) return known.get(href);
    // Nearly all links are plain paths; they need no parser.
    const url = origin !== undefined && PLAIN_PATH.test(href) ? origin + href : resolveHref(href, base);
    known.set(href, url);
    return url;
  };
}

function baseOf(pageUrl: string, baseHref: string | undefined): URL | undefined {
  const page = URL.parse(pageUrl) ?? undefined;
  if (baseHref === undefined) return page;
  const base = URL.parse(baseHref.trim(), page?.href);
  return base !== null && /^https?:$/.test(base.protocol) ? base : page;
}

const PLAIN_PATH = /^\/(?!\/)(?:(?!\.)[\w~%!$&'()*+,;=:@/?#-]|(?<!\/)\.)*$/;

function resolveHref(href: string, base: URL | undefined): string | undefined {
  const url = URL.parse(href.trim(), base?.href);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}

/** The links of a page in order, once each; those past the limit are only counted. */
export class LinkList {
  readonly #links = new Map<string, Link>();
  readonly #beyond = new Set<string>();
  readonly #max: number;
  #count = 0;

  constructor(max = MAX_LINKS) {
    this.#max = max;
  }

  /** `readText` is called for links that are kept, and for those that had no text so far. */
  add(target: string, rel: string, readText: () => string): void {
    const known = this.#links.get(target);
    if (known !== undefined) {
      if (known.text === '') known.text = readText();
    } else if (this.#links.size < this.#max)
      this.#links.set(target, { url: target, text: readText(), rel: collapse(rel).toLowerCase() });
    else if (!this.#beyond.has(target)) {
      this.#count++;
      if (this.#beyond.size < MAX_BEYOND) this.#beyond.add(target);
    }
  }

  read(): Pick<ExtractedPage, 'links' | 'linksBeyond'> {
    const links = [...this.#links.values()];
    if (this.#count === 0) return { links };
    return { links, linksBeyond: { count: this.#count, samples: [...this.#beyond].slice(0, MAX_SAMPLES) } };
  }
}

/** The links of an HTML page, without fragments: two names for one page are one link. */
export function readLinks(
  head: PageHead,
  resolve: ResolveUrl,
  max?: number,
): Pick<ExtractedPage, 'links' | 'linksBeyond'> {
  const links = new LinkList(max);
  for (const anchor of head.anchors) {
    const href = anchor.attribs.href;
    if (href === undefined || href.startsWith('#')) continue;
    const url = resolve(href);
    if (url === undefined) continue;
    links.add(stripFragment(url), anchor.attribs.rel ?? '', () => anchorText(anchor));
  }
  return links.read();
}

function stripFragment(url: string): string {
  const at = url.indexOf('#');
  return at === -1 ? url : url.slice(0, at);
}

function anchorText(anchor: Element): string {
  const text = textOf(anchor);
  if (text !== '') return text.slice(0, MAX_ANCHOR_TEXT);
  const image = anchor.children.find((child): child is Element => 'attribs' in child && child.name === 'img');
  return collapse(anchor.attribs['aria-label'] ?? anchor.attribs.title ?? image?.attribs.alt ?? '').slice(
    0,
    MAX_ANCHOR_TEXT,
  );
}

/** A heading's words, without the mark that links to itself. */
export function headingText(heading: Element): string {
  const text = textOf(heading);
  return /[¶#§\u200b]$/.test(text) ? text.slice(0, -1).trimEnd() : text;
}

export function readHeadings(head: PageHead): Heading[] {
  const headings: Heading[] = [];
  for (const element of head.headings) {
    const text = headingText(element);
    if (text !== '' && headings.length < MAX_HEADINGS) headings.push({ level: Number(element.name[1]), text });
  }
  return headings;
}
