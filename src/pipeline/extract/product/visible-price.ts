import { stripEnd } from '../../../text/strip-end.ts';
import { LIKELY_MARKS, SURE_MARK } from './currencies.ts';
import { parsePrice } from './price.ts';
import type { Scan, Spot } from './scan.ts';
import { CURRENT_PRICE, OTHER_PRICE, OTHER_TEXT, PRICE_HINT, STRUCK_PRICE, STRUCK_TEXT, UNIT_TEXT } from './words.ts';

export interface PriceSpot {
  spot: Spot;
  amount: string;
  /** The currency as written, when it is. */
  mark: string | undefined;
  struck: boolean;
  score: number;
}

const MAX_PRICE_TEXT = 60;

/** Every place that shows a price, best first: near the heading and the buy button, marked as a price, not crossed out. */
export function findPrices(scan: Scan, knownAmounts: ReadonlySet<string>): PriceSpot[] {
  const found: PriceSpot[] = [];
  const button = scan.buttons[0];
  const chain = new Map<Spot, number>();
  let hops = 0;
  for (let up = button; up !== undefined; up = up.parent) chain.set(up, hops++);

  for (const spot of scan.spots) {
    const price = readPriceText(spot);
    if (price === undefined) continue;
    const struck = spot.struck || hintUp(spot, 2, STRUCK_PRICE) || isStruckText(spot);
    found.push({ spot, ...price, struck, score: scoreSpot(spot, price, struck, scan, chain) });
  }
  const seen = new Map<string, number>();
  for (const { amount, spot } of found) if (!spot.aside) seen.set(amount, (seen.get(amount) ?? 0) + 1);
  for (const price of found) {
    price.score += Math.min(1.5, ((seen.get(price.amount) ?? 1) - 1) * 0.4);
    if (knownAmounts.has(price.amount)) price.score += 2;
  }
  return found.sort((a, b) => b.score - a.score || a.spot.order - b.spot.order);
}

function readPriceText(spot: Spot): { amount: string; mark: string | undefined } | undefined {
  const text =
    spot.text === '' && spot.element.attribs.content !== undefined ? spot.element.attribs.content : spot.text;
  if (text.length === 0 || text.length > MAX_PRICE_TEXT || !/\d/.test(text)) return undefined;
  const marked = SURE_MARK.test(text) || hasLikelyMark(text);
  if (!marked && !(text.length < 20 && PRICE_HINT.test(spot.hint) && !/[a-z]{4}/i.test(text))) return undefined;
  const { amount, currency } = parsePrice(text);
  if (amount === undefined || amount === '0' || amount.replace('.', '').length > 10) return undefined;
  return { amount, mark: marked ? currency : undefined };
}

/** Marks that are also words must stand right beside a number: "AMD Radeon" is no amount of Armenian drams. */
function hasLikelyMark(text: string): boolean {
  for (const match of text.matchAll(/\d/g)) {
    const after = /^[.,-]{0,2}\s?([^\s\d]{1,5})/.exec(text.slice(match.index + 1, match.index + 10))?.[1];
    if (after !== undefined && isLikely(after)) return true;
    const before = /([^\s\d]{1,5}?)[.:]?\s?$/.exec(text.slice(Math.max(0, match.index - 7), match.index))?.[1];
    if (before !== undefined && isLikely(before)) return true;
  }
  return false;
}

function isLikely(word: string): boolean {
  return LIKELY_MARKS.has(word) || LIKELY_MARKS.has(stripEnd(word, /[.,;:)(]/));
}

/** "Instead of 20 €" in the text itself, or in a box that holds nothing else. */
function isStruckText(spot: Spot): boolean {
  if (numbersIn(spot.text) > 1) return false;
  if (STRUCK_TEXT.test(spot.text)) return true;
  const around = spot.parent?.text ?? '';
  return around !== '' && numbersIn(around) === 1 && STRUCK_TEXT.test(around);
}

function numbersIn(text: string): number {
  return text.match(/\d[\d.,\s]*/g)?.length ?? 0;
}

function scoreSpot(
  spot: Spot,
  { amount, mark }: { amount: string; mark: string | undefined },
  struck: boolean,
  scan: Scan,
  chain: ReadonlyMap<Spot, number>,
): number {
  let score = 0;
  if (PRICE_HINT.test(spot.hint)) score += 3;
  else if (hintUp(spot.parent, 3, PRICE_HINT)) score += 2;
  if (spot.element.attribs.itemprop === 'price') score += 3;
  if (hintUp(spot, 2, CURRENT_PRICE)) score += 1;
  if (mark !== undefined) score += 2;
  if (amount.includes('.')) score += 0.5;
  score -= Math.max(0, numbersIn(spot.text) - 1) * 0.7 + spot.text.length / 60;
  if (struck) score -= 6;
  if (spot.aside) score -= 6;
  if (spot.hidden) score -= 2;
  if (spot.linked) score -= 1.5;
  if (spot.element.name === 'option' || spot.element.name === 'li' || spot.element.name === 'label') score -= 1;
  if (hintUp(spot, 2, OTHER_PRICE)) score -= 3;
  const around = `${spot.text} ${spot.parent?.text ?? ''}`;
  if (UNIT_TEXT.test(spot.text)) score -= 3;
  else if (UNIT_TEXT.test(around)) score -= 1;
  if (OTHER_TEXT.test(spot.text)) score -= 4;
  else if (OTHER_TEXT.test(around)) score -= 1;
  if (scan.headingOrder >= 0) {
    const distance = spot.order - scan.headingOrder;
    score += distance >= 0 ? Math.max(0, 3 - distance / 60) : Math.max(-1, distance / 200);
  }
  score += 4 * closeness(spot, chain);
  return score;
}

/** 1 in the same box as the buy button, less the further up they meet. */
function closeness(spot: Spot, chain: ReadonlyMap<Spot, number>): number {
  let own = 0;
  for (let up: Spot | undefined = spot; up !== undefined; up = up.parent) {
    const hops = chain.get(up);
    if (hops !== undefined) return Math.max(0, 1 - (hops + own * 0.5) / 14);
    own++;
  }
  return 0;
}

function hintUp(spot: Spot | undefined, levels: number, pattern: RegExp): boolean {
  for (let up = spot; up !== undefined && levels > 0; up = up.parent, levels--)
    if (up.hint !== '' && pattern.test(up.hint)) return true;
  return false;
}
