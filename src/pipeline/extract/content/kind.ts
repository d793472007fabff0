import type { PageKind } from '../types.ts';
import { allBelow, type Box, HINT, isWithin } from './box.ts';
import { type Group, isCardGroup } from './groups.ts';
import { FORUM_MAKERS, type PageSignals } from './signals.ts';

/** Share of the shown text that must sit in cards before a page is a list of them. */
const CARD_SHARE = 0.5;

/** What kind of page this is: what it says itself, held against how its text is laid out. */
export function detectKind(page: Box, best: Box, groups: readonly Group[], signals: PageSignals): PageKind {
  if (signals.product && !signals.forum) return 'product';
  if (isForum(page, groups, signals)) return 'forum';
  if (signals.product) return 'product';
  const shown = Math.max(page.shown, 1);
  const cards = sumCards(groups, best);
  const apart = best.prose - cards.prose;
  const wordy = best.prose > shown * 0.5 && paragraphLength(best) > 100;
  // A text of some length that is in no card is what the page is about; the cards then lead elsewhere.
  const hasText = signals.article && !signals.home ? best.prose > 250 : apart > 300 && apart > shown * 0.15;
  const share = signals.listing && !wordy ? CARD_SHARE * 0.6 : CARD_SHARE;
  if (!hasText && cards.text > shown * share) return sells(groups) ? 'collection' : 'listing';
  if (signals.documentation && !(signals.article && wordy && !hasCode(page))) return 'documentation';
  if (signals.article || wordy) return 'article';
  if (signals.service || signals.home || page.headings >= 3) return 'service';
  return 'other';
}

function isForum(page: Box, groups: readonly Group[], signals: PageSignals): boolean {
  if (signals.article) return false;
  const posts = groups.filter(isPostGroup);
  const prose = Math.max(...posts.map((group) => group.prose), 0);
  if (signals.forum || isMadeByForum(page)) return prose > 0 || hasPosts(page);
  if (signals.product || prose <= page.rawProse * 0.6) return false;
  return prose > 500 || posts.some(hasWriters);
}

/** Forum software often names itself on the outermost elements. */
function isMadeByForum(page: Box): boolean {
  return page.page
    .slice(0, 4)
    .some(({ element: { attribs } }) => FORUM_MAKERS.test(`${attribs.id ?? ''} ${attribs.class ?? ''}`));
}

/** Each item names its author. */
function hasWriters({ items }: Group): boolean {
  const signed = items.filter((item) => allBelow(item).some((box) => (box.hints & HINT.user) !== 0));
  return items.length >= 3 && signed.length >= items.length * 0.8;
}

/** Posts of several authors, one after the other. */
function isPostGroup({ items, prose }: Group): boolean {
  const named = items.filter(
    (item) => (item.hints & (HINT.post | HINT.comments)) !== 0 || item.element.attribs.itemprop === 'comment',
  );
  return named.length >= items.length * 0.6 && prose > items.length * 40;
}

function hasPosts(page: Box): boolean {
  let posts = 0;
  for (const box of allBelow(page)) if (box.block && (box.hints & HINT.post) !== 0 && box.rawProse > 0) posts++;
  return posts >= 2;
}

/** Text in cards, each counted once, as a group inside an item of another adds nothing; their prose within `best`. */
function sumCards(groups: readonly Group[], best: Box): { text: number; prose: number } {
  const sum = { text: 0, prose: 0 };
  const counted = new Set<Box>();
  for (const group of groups) {
    if (!isCardGroup(group) || isInside(group.parent, counted)) continue;
    sum.text += group.text;
    if (isWithin(group.parent, best)) sum.prose += group.prose;
    counted.add(group.parent);
  }
  return sum;
}

function isInside(box: Box, outer: ReadonlySet<Box>): boolean {
  for (let up: Box | undefined = box; up !== undefined; up = up.parent) if (outer.has(up)) return true;
  return false;
}

const PRICE =
  /(?:[$€£¥₹₽]|\b(?:USD|EUR|GBP|CHF|PLN|SEK|kr)\b)\s?\d[\d.,]{0,30}(?![\d.,]{0,30}[km])|\d(?:[.,]\d{2})?\s?(?:[$€£¥₹₽]|zł|kr\b|USD|EUR)/i;

/** Cards with prices. */
function sells(groups: readonly Group[]): boolean {
  for (const group of groups) {
    if (!isCardGroup(group)) continue;
    let priced = 0;
    for (const item of group.items) if (PRICE.test(ownText(item))) priced++;
    if (priced >= group.items.length * 0.5) return true;
  }
  return false;
}

function ownText(box: Box): string {
  let text = '';
  for (const child of box.children) text += typeof child === 'string' ? child : ` ${ownText(child)}`;
  return text;
}

function paragraphLength(root: Box): number {
  let count = 0;
  let length = 0;
  for (const box of allBelow(root)) {
    if (!box.block || box.junk || box.own < 40) continue;
    count++;
    length += box.own;
  }
  return count === 0 ? 0 : length / count;
}

function hasCode(page: Box): boolean {
  for (const box of allBelow(page)) if (box.tag === 'pre' && !box.junk) return true;
  return false;
}
