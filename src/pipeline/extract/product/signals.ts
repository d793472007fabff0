import { type Element, textOf } from '../dom.ts';
import type { PageHead } from '../page-head.ts';
import { BUY_ATTRIBUTE, BUY_TEXT } from './words.ts';

const PRODUCT_METAS = [
  'product:price:amount',
  'product:price',
  'og:price:amount',
  'og:price',
  'product:retailer_item_id',
  'product:availability',
];

const CART = /cart|buy|basket|btn|button/i;

/**
 * Whether anything on the page hints at a product. It runs on every page of a crawl, so it only looks at what the walk
 * over the page has gathered anyway; most pages end here.
 */
export function hasProductSignal(head: PageHead): boolean {
  if (head.jsonLd.some((source) => source.includes('Product') || source.includes('Offer"'))) return true;
  if (head.items.some(({ attribs }) => /product\b/i.test(attribs.itemtype ?? attribs.typeof ?? ''))) return true;
  if (PRODUCT_METAS.some((name) => head.metas.has(name))) return true;
  if (head.metas.get('og:type')?.some((type) => /product/i.test(type)) === true) return true;
  return hasBuyControl(head);
}

/** Something to buy with: a page that says nothing about itself needs it to be a product page. */
export function hasBuyControl(head: PageHead): boolean {
  return head.buttons.some(isBuyControl) || head.anchors.some(isBuyLink);
}

function isBuyControl(element: Element): boolean {
  const { attribs } = element;
  if (element.name === 'form')
    return BUY_ATTRIBUTE.test(`${attribs.action ?? ''} ${attribs.id ?? ''} ${attribs.class ?? ''}`);
  if (BUY_ATTRIBUTE.test(`${attribs.class ?? ''} ${attribs.id ?? ''} ${attribs.name ?? ''}`)) return true;
  const words = attribs.value ?? attribs['aria-label'] ?? attribs.title;
  if (words !== undefined && words.length < 60 && BUY_TEXT.test(words)) return true;
  if (element.name !== 'button') return false;
  const text = textOf(element);
  return text.length < 60 && BUY_TEXT.test(text);
}

/** Links that act instead of leading somewhere, or look like it. */
function isBuyLink({ attribs, children }: Element): boolean {
  const { href, class: name, id } = attribs;
  const hint = id === undefined ? name : `${name ?? ''} ${id}`;
  const looks = hint !== undefined && CART.test(hint);
  if (looks && BUY_ATTRIBUTE.test(hint)) return true;
  const acts = href === undefined || href === '' || href.startsWith('#') || href.startsWith('javascript');
  if (!acts && !looks) return false;
  if (children.length === 0 || children.length > 6) return false;
  const text = children.map((child) => textOf(child)).join(' ');
  return text.length > 1 && text.length < 40 && BUY_TEXT.test(text);
}
