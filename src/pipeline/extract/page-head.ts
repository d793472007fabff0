import { collapse, type Document, type Element, isElement, NO_ATTRIBUTES, rawTextOf, textOf } from './dom.ts';

/** What one walk over the tree gathers for metadata, links and structured data. */
export interface PageHead {
  /** `name`, `property`, `itemprop` or `http-equiv` of a meta, in lower case → its contents in order. */
  metas: Map<string, string[]>;
  titles: string[];
  headings: Element[];
  anchors: Element[];
  links: Element[];
  jsonLd: string[];
  times: Element[];
  /** Elements with itemprop, rel=author or a byline class, for author and dates. */
  authors: Element[];
  /** Buttons, and forms: what one can do on the page. */
  buttons: Element[];
  /** Elements that start an item of microdata or RDFa. */
  items: Element[];
  language: string | undefined;
  baseHref: string | undefined;
  scripts: number;
}

const MAX_JSON_LD = 512 * 1024;

export function readHead(document: Document): PageHead {
  const head: PageHead = {
    metas: new Map(),
    titles: [],
    headings: [],
    anchors: [],
    links: [],
    jsonLd: [],
    times: [],
    authors: [],
    buttons: [],
    items: [],
    language: undefined,
    baseHref: undefined,
    scripts: 0,
  };
  visit(document.children, head, false);
  return head;
}

/** The parser bounds the depth of a tree, so this may recurse. */
function visit(nodes: Document['children'], head: PageHead, inSvg: boolean): void {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    take(node, head, inSvg);
    if (node.children.length > 0 && node.name !== 'script' && node.name !== 'style')
      visit(node.children, head, inSvg || node.name === 'svg');
  }
}

function take(element: Element, head: PageHead, inSvg: boolean): void {
  const { name, attribs } = element;
  switch (name) {
    case 'a':
      head.anchors.push(element);
      break;
    case 'meta':
      takeMeta(attribs, head);
      break;
    case 'link':
      head.links.push(element);
      break;
    case 'title':
      if (!inSvg) head.titles.push(textOf(element));
      break;
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      head.headings.push(element);
      break;
    case 'time':
      head.times.push(element);
      break;
    case 'script':
      if (attribs.type !== undefined && /ld\+json/i.test(attribs.type)) takeJsonLd(element, head);
      else head.scripts++;
      break;
    case 'html':
      head.language ??= attribs.lang ?? attribs['xml:lang'];
      break;
    case 'button':
    case 'form':
      head.buttons.push(element);
      break;
    case 'input':
      if (attribs.type === 'submit' || attribs.type === 'button' || attribs.type === 'image')
        head.buttons.push(element);
      break;
    case 'base':
      head.baseHref ??= attribs.href;
      break;
    default:
  }
  if (attribs === NO_ATTRIBUTES) return;
  if (attribs.itemtype !== undefined || attribs.typeof !== undefined) head.items.push(element);
  if (
    attribs.itemprop !== undefined ||
    attribs.rel === 'author' ||
    (attribs.class !== undefined && /author|byline/i.test(attribs.class))
  )
    head.authors.push(element);
}

function takeMeta(attribs: Record<string, string>, head: PageHead): void {
  const content = attribs.content;
  if (content === undefined) return;
  const value = collapse(content);
  if (value === '') return;
  for (const key of [attribs.name, attribs.property, attribs.itemprop, attribs['http-equiv']]) {
    if (key === undefined) continue;
    const name = key.toLowerCase();
    const known = head.metas.get(name);
    if (known === undefined) head.metas.set(name, [value]);
    else if (known.length < 50) known.push(value);
  }
}

function takeJsonLd(element: Element, head: PageHead): void {
  const child = element.children[0];
  const text = child === undefined ? '' : child.type === 'text' ? child.data : rawTextOf(child);
  if (text.length > 0 && text.length <= MAX_JSON_LD && head.jsonLd.length < 50) head.jsonLd.push(text);
}

/** The first content of the first of these metas that the page has. */
export function firstMeta(head: PageHead, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = head.metas.get(name)?.[0];
    if (value !== undefined) return value;
  }
  return undefined;
}
