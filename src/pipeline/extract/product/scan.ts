import { collapse, type Element, isElement, isText } from '../dom.ts';
import type { ProductPage } from './page.ts';
import { isStruckStyle } from './style.ts';
import { ASIDE_HINT, BUY_ATTRIBUTE, BUY_TEXT } from './words.ts';

/** An element of the page with what its surroundings say about it. */
export interface Spot {
  element: Element;
  /** Its text when that is short, else ''. */
  text: string;
  /** Its text is too long to matter here. */
  long: boolean;
  /** Its class, id and the like. */
  hint: string;
  /** Its place among all elements of the page. */
  order: number;
  aside: boolean;
  hidden: boolean;
  struck: boolean;
  /** Inside a link. */
  linked: boolean;
  parent: Spot | undefined;
}

export interface Scan {
  spots: Spot[];
  byElement: Map<Element, Spot>;
  buttons: Spot[];
  /** Buy buttons among boxes of other products: many of them mean a list. */
  asideButtons: number;
  headingOrder: number;
}

const SKIPPED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'head',
  'iframe',
  'video',
  'audio',
  'canvas',
]);
const SHORT_TEXT = 90;

/** One walk over the page, in document order. Boxes around the main heading are never taken for asides. */
export function scanPage(page: ProductPage): Scan {
  const scan: Scan = { spots: [], byElement: new Map(), buttons: [], asideButtons: 0, headingOrder: -1 };
  const main = new Set<Element>();
  for (let up = page.heading; up !== undefined; up = parentOf(up)) main.add(up);
  for (const child of page.document.children) if (isElement(child)) visit(child, undefined, scan, main, page);
  return scan;
}

/** True when the element or something in it is a buy button. */
function visit(
  element: Element,
  parent: Spot | undefined,
  scan: Scan,
  main: ReadonlySet<Element>,
  page: ProductPage,
): boolean {
  if (SKIPPED.has(element.name)) return false;
  const { attribs, name } = element;
  const hint = hintOf(attribs);
  const spot: Spot = {
    element,
    text: '',
    long: false,
    hint,
    order: scan.spots.length,
    aside: parent?.aside === true || (!main.has(element) && isAside(element, hint)),
    hidden: parent?.hidden === true || isHidden(attribs),
    struck: parent?.struck === true || name === 'del' || name === 's' || name === 'strike' || isStruckStyle(attribs),
    linked: parent?.linked === true || (name === 'a' && /^(?!#|javascript)/.test(attribs.href ?? '#')),
    parent,
  };
  scan.spots.push(spot);
  scan.byElement.set(element, spot);
  if (element === page.heading) scan.headingOrder = spot.order;
  let hasButton = false;
  for (const child of element.children) {
    if (isElement(child) && visit(child, spot, scan, main, page)) hasButton = true;
  }
  const text = joinTexts(element, scan);
  spot.text = text ?? '';
  spot.long = text === undefined;
  // The innermost of nested boxes is the button.
  if (!hasButton && isBuyButton(spot)) {
    if (spot.aside) scan.asideButtons++;
    else scan.buttons.push(spot);
    return true;
  }
  return hasButton;
}

function parentOf(element: Element): Element | undefined {
  const { parent } = element;
  return parent !== null && 'attribs' in parent ? (parent as Element) : undefined;
}

function isAside({ name, children }: Element, hint: string): boolean {
  if (name === 'nav' || name === 'footer' || name === 'aside' || name === 'header') return true;
  return hint !== '' && children.length > 0 && ASIDE_HINT.test(hint);
}

function hintOf(attribs: Record<string, string>): string {
  let hint = attribs.class ?? '';
  if (attribs.id !== undefined) hint += ` ${attribs.id}`;
  const test = attribs['data-testid'] ?? attribs['data-test'] ?? attribs['data-qa'] ?? attribs['data-qa-qualifier'];
  if (test !== undefined) hint += ` ${test}`;
  if (attribs.itemprop !== undefined) hint += ` ${attribs.itemprop}`;
  return hint;
}

function isHidden(attribs: Record<string, string>): boolean {
  if (attribs.hidden !== undefined || attribs.type === 'hidden') return true;
  return attribs.style !== undefined && /display:\s*none|visibility:\s*hidden/i.test(attribs.style);
}

const BUTTON_NAMES = new Set(['button', 'input', 'a', 'span', 'div', 'form']);

function isBuyButton({ element, text, hint, hidden, long }: Spot): boolean {
  const { name, attribs } = element;
  if (!BUTTON_NAMES.has(name) || hidden || (long && name !== 'form')) return false;
  const acts =
    name === 'button' ||
    attribs.role === 'button' ||
    (name === 'input' && /submit|button|image/i.test(attribs.type ?? ''));
  if (acts || (name === 'a' && text.length < 40)) {
    const words = `${attribs.value ?? ''} ${attribs.title ?? ''} ${attribs['aria-label'] ?? ''}`;
    if (text.length < 50 && BUY_TEXT.test(text)) return true;
    if (BUY_TEXT.test(words)) return true;
    return BUY_ATTRIBUTE.test(`${hint} ${attribs.name ?? ''}`);
  }
  if (name === 'form')
    return /\/cart\/add|addtocart|add-to-cart|\/basket\/add|checkout\/cart/i.test(attribs.action ?? '');
  return hint !== '' && text.length < 40 && text !== '' && BUY_ATTRIBUTE.test(hint) && BUY_TEXT.test(text);
}

/** The element's words when they are few. Small print that shows cents gets the decimal point it stands for. */
function joinTexts(element: Element, scan: Scan): string | undefined {
  let text = '';
  for (const child of element.children) {
    if (isText(child)) text += child.data.length > SHORT_TEXT ? collapse(child.data) : child.data;
    else if (isElement(child) && !SKIPPED.has(child.name)) {
      const spot = scan.byElement.get(child)!;
      if (spot.long) return undefined;
      const inline = INLINE.has(child.name);
      if (isCents(child) && /\d$/.test(text.trimEnd())) text = `${text.trimEnd()}.${spot.text}`;
      else text += inline ? padInline(child, spot.text) : ` ${spot.text} `;
    }
    if (text.length > SHORT_TEXT * 3) return undefined;
  }
  const short = collapse(text);
  return short.length > SHORT_TEXT ? undefined : short;
}

/** Whitespace at the edges of an inline element separates words too. */
function padInline(element: Element, text: string): string {
  const first = element.children[0];
  const last = element.children.at(-1);
  const before = first !== undefined && isText(first) && /^\s/.test(first.data) ? ' ' : '';
  const after = last !== undefined && isText(last) && /\s$/.test(last.data) ? ' ' : '';
  return before + text + after;
}

const INLINE = new Set(['span', 'b', 'i', 'em', 'strong', 'sup', 'small', 'font', 'a', 'bdi', 'u', 'data']);

function isCents(element: Element): boolean {
  const only = element.children.length === 1 ? element.children[0]! : undefined;
  if (only === undefined || !isText(only) || !/^\d\d\s*[€$£]?$/.test(only.data.trim())) return false;
  return element.name === 'sup' || /cent|fraction|decimal|minor|sup\b|small/i.test(element.attribs.class ?? '');
}
