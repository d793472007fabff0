import { type Document, type Element, isElement, NO_ATTRIBUTES, parseHtml, rawTextOf } from '../dom.ts';
import { HINT, readHints } from './hints.ts';
import { collapseWhitespace } from './whitespace.ts';

/**
 * An element that may be shown, with what it holds summed up. Text is a plain string among the children, its whitespace
 * collapsed unless it stands in a pre.
 */
export interface Box {
  /** All boxes of the page in document order; those below this one are at [index, end). */
  page: Box[];
  index: number;
  end: number;
  element: Element;
  tag: string;
  parent: Box | undefined;
  children: (Box | string)[];
  block: boolean;
  hints: number;
  /** Characters of text below, whitespace collapsed; of those inside links. */
  text: number;
  linked: number;
  /** Text of links to places on the page itself: those of a table of contents, or a heading's own. */
  anchored: number;
  /** Inline text directly in this block, not in a block inside it, and its linked part. */
  own: number;
  ownLinked: number;
  /** Images and headings below. */
  images: number;
  headings: number;
  /** Quotations below: posts of others are embedded as such. */
  quotes: number;
  /** Its text as one line, computed on first use; see lines.ts. */
  line: string | undefined;
  /** Left out of the main content. */
  removed: boolean;
  /** Shown with pictures only: in the Markdown, not in the plain text. */
  caption: boolean;
  /** Part of the page's furniture, by its own name or an ancestor's. */
  junk: boolean;
  /** Its own text is about cookies. */
  cookies: boolean;
  /** Holds an element that is marked as the page's main part. */
  holdsMain: boolean;
  /** Text that is not furniture. */
  shown: number;
  /** Text that is neither linked nor furniture, less the linked. */
  plain: number;
  /** How much content the subtree is worth; see score.ts. */
  score: number;
  /** Length of running prose below, and of the part that is not in furniture. */
  rawProse: number;
  prose: number;
}

/** How a tag is laid out, in one look-up. */
const LAYOUT = new Map<string, number>();
const SKIPPED = 1;
const INLINE = 2;
const HEADING = 4;
const lay = (bit: number, tags: string[]): void => {
  for (const tag of tags) LAYOUT.set(tag, bit);
};
lay(SKIPPED, [
  'script', 'style', 'template', 'noscript', 'svg', 'iframe', 'object', 'embed', 'canvas', 'head', 'link', 'meta', 'input',
  'select', 'textarea', 'button', 'audio', 'video', 'map', 'area', 'dialog', 'datalist', 'progress', 'meter', 'frame',
  'frameset', 'applet', 'param', 'source', 'track', 'base', 'title', 'option', 'optgroup', 'rp',
]); // biome-ignore format: a list

lay(INLINE, [
  'a', 'abbr', 'acronym', 'b', 'bdi', 'bdo', 'big', 'br', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'font', 'i', 'img',
  'ins', 'kbd', 'label', 'mark', 'q', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time',
  'tt', 'u', 'var', 'wbr', 'nobr', 'picture', 'math',
]); // biome-ignore format: a list

/** A block with at least this much inline text reads as a paragraph. */
export const PROSE = 80;

lay(HEADING, ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;

export interface BuildOptions {
  /** Also take what the page hides: some pages show their content only by script. */
  keepHidden?: boolean;
  exclude?: (element: Element) => boolean;
}

/** The shown part of a page as boxes. Depth is bounded by the parser, so this may recurse. */
export function buildBoxes(document: Document, options: BuildOptions = {}): Box {
  const body = { name: 'body', attribs: {}, children: document.children } as unknown as Element;
  const root = newBox(body, 0, undefined, []);
  root.page.push(root);
  fill(root, document.children, NO_LINK, false, options);
  root.end = root.page.length;
  return root;
}

const NO_CHILDREN: Box['children'] = [];

/** Most boxes have one child: a growing array would reserve space for many. */
function addChild(box: Box, child: Box | string): void {
  if (box.children.length === 0) box.children = [child];
  else box.children.push(child);
}

function newBox(element: Element, layout: number, parent: Box | undefined, page: Box[]): Box {
  return {
    page,
    index: page.length,
    end: 0,
    element,
    tag: element.name,
    parent,
    children: NO_CHILDREN,
    block: layout !== INLINE,
    hints: element.attribs === NO_ATTRIBUTES ? 0 : readHints(element.attribs),
    text: 0,
    linked: 0,
    anchored: 0,
    own: 0,
    ownLinked: 0,
    images: 0,
    headings: 0,
    quotes: 0,
    line: undefined,
    removed: false,
    caption: false,
    junk: false,
    cookies: false,
    holdsMain: false,
    shown: 0,
    plain: 0,
    score: 0,
    rawProse: 0,
    prose: 0,
  };
}

const NO_LINK = 0;
const LINK = 1;
const ANCHOR = 2;

function fill(box: Box, nodes: Element['children'], inLink: number, raw: boolean, options: BuildOptions): void {
  for (const node of nodes) {
    if (node.type === 'text') {
      const text = raw ? node.data : collapseWhitespace(node.data);
      const length = raw ? trimmedLength(collapseWhitespace(text)) : trimmedLength(text);
      if (length > 0) {
        box.text += length;
        box.own += length;
        if (text.includes('ookie')) box.cookies = true;
        if (inLink === LINK) {
          box.linked += length;
          box.ownLinked += length;
        } else if (inLink === ANCHOR) box.anchored += length;
      }
      addChild(box, text);
    } else if (isElement(node)) {
      const layout = LAYOUT.get(node.name) ?? 0;
      if (layout === SKIPPED) {
        if (options.keepHidden === true) fillFromHidden(box, node, options);
        continue;
      }
      const child = newBox(node, layout, box, box.page);
      if (options.exclude?.(node) === true) continue;
      if (options.keepHidden !== true && isHidden(child)) continue;
      box.page.push(child);
      fill(child, node.children, node.name === 'a' ? linkKind(node) : inLink, raw || node.name === 'pre', options);
      child.end = box.page.length;
      addChild(box, child);
      box.text += child.text;
      box.linked += child.linked;
      box.anchored += child.anchored;
      box.rawProse += child.rawProse;
      if (child.holdsMain || isMarkedMain(child)) box.holdsMain = true;
      box.images += child.tag === 'img' ? 1 : child.images;
      box.headings += layout === HEADING ? 1 : child.headings;
      box.quotes += child.tag === 'blockquote' ? child.quotes + 1 : child.quotes;
      if (!child.block) {
        // An inline element around blocks (a link around a card) passes only its own inline text on.
        box.own += child.own;
        box.ownLinked += child.ownLinked;
        if (child.cookies) box.cookies = true;
      }
    } else if ('children' in node) fill(box, node.children as Element['children'], inLink, raw, options);
  }
  if (!box.block && box.children.some((child) => typeof child !== 'string' && child.block)) box.block = true;
  if (box.block && box.own >= PROSE && box.ownLinked < box.own * 0.5) box.rawProse += box.own - box.ownLinked;
}

/** Some sites keep their text in a template, for a script to show. */
function fillFromHidden(box: Box, element: Element, options: BuildOptions): void {
  const { name, attribs, children } = element;
  if (name === 'noscript' || name === 'template') fill(box, children, NO_LINK, false, options);
  else if (name === 'script' && /^text\/(?:x-)?(?:template|html)/i.test(attribs.type ?? ''))
    fill(box, parseHtml(rawTextOf(children[0] ?? element)).children, NO_LINK, false, options);
}

function linkKind(anchor: Element): number {
  const href = anchor.attribs.href;
  if (href === undefined || href === '') return NO_LINK;
  return href.startsWith('#') && href.length > 1 ? ANCHOR : LINK;
}

/** Panels that wait for a click are content all the same. */
const PANELS =
  /\b(?:accordion|collaps\w*|tab-?(?:pane|panel|content)\w*|panel|faq\w*|answer|toggle\w*|expand\w*|read-?more|show-?more|details)\b/i;

function isPanel({ class: names = '', role }: Record<string, string>): boolean {
  return role === 'tabpanel' || role === 'region' || PANELS.test(names);
}

function isHidden(box: Box): boolean {
  const { attribs, name } = box.element;
  if (attribs === NO_ATTRIBUTES) return false;
  const hidden =
    (attribs.hidden !== undefined && attribs.hidden !== 'until-found') ||
    (attribs.style !== undefined && HIDDEN_STYLE.test(attribs.style)) ||
    (attribs['aria-hidden'] === 'true' && box.block && name !== 'img');
  return (hidden && !isPanel(attribs)) || (box.hints & HINT.hidden) !== 0 || (name === 'a' && isPermalink(box.element));
}

/** The character beside a heading that links to the heading itself. */
function isPermalink({ attribs, children }: Element): boolean {
  if (attribs.href?.startsWith('#') !== true || children.length > 1) return false;
  const [child] = children;
  return child === undefined || (child.type === 'text' && PERMALINK.test(child.data.replaceAll('\u200b', ' ').trim()));
}

const PERMALINK = /^(?:[¶#§🔗])?$/u;

function isMarkedMain({ tag, element: { attribs } }: Box): boolean {
  return tag === 'main' || attribs.role === 'main' || attribs.itemprop === 'articleBody';
}

/** Without the space that may be at either end of a collapsed text. */
function trimmedLength(text: string): number {
  const { length } = text;
  if (length === 0) return 0;
  const start = text.charCodeAt(0) === 32 ? 1 : 0;
  return length === start ? 0 : length - start - (text.charCodeAt(length - 1) === 32 ? 1 : 0);
}

export const linkDensity = (box: Box): number => (box.text === 0 ? 0 : box.linked / box.text);

/** The box itself and all below it, removed or not, in document order. */
export function allBelow(box: Box): Box[] {
  return box.index === 0 ? box.page : box.page.slice(box.index, box.end);
}

export function isWithin(box: Box, outer: Box): boolean {
  return box.index >= outer.index && box.index < outer.end;
}

/** As `allBelow`, without what was removed. */
export function boxesBelow(root: Box): Box[] {
  const boxes: Box[] = [];
  collect(root, boxes);
  return boxes;
}

function collect(box: Box, boxes: Box[]): void {
  boxes.push(box);
  for (const child of box.children) if (typeof child !== 'string' && !child.removed) collect(child, boxes);
}

export { HINT };
