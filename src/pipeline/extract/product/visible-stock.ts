import type { Availability } from '../types.ts';
import { readAvailabilityText } from './availability.ts';
import type { Scan } from './scan.ts';

const STOCK_HINT =
  /avail|stock|verf(?:ue|ü)gbar|liefer|disponib|dispo(?:[-_ ]|$)|dostup|dostep|skladem|lager|sold-?out|inventory|delivery|nalich|zaloga/i;
const MAX_DISTANCE = 400;

/** What the page says about stock near its product: a text in a box about it, else the buy button itself. */
export function findStock(scan: Scan, priced: boolean): { availability: Availability | undefined; confidence: number } {
  const anchor = scan.buttons[0]?.order ?? scan.headingOrder;
  let best: { availability: Availability; score: number } | undefined;
  for (const { text, hint, aside, hidden, order, linked, element } of scan.spots) {
    if (text === '' || text.length > 70 || aside || hidden || element.name === 'option') continue;
    const hinted = STOCK_HINT.test(hint);
    const availability = readAvailabilityText(text);
    if (availability === undefined) continue;
    const distance = anchor < 0 ? MAX_DISTANCE : Math.abs(order - anchor);
    if (!hinted && distance > MAX_DISTANCE) continue;
    const score = (hinted ? 3 : 0) + Math.max(0, 2 - distance / 150) - (linked ? 1 : 0) - text.length / 50;
    if (best === undefined || score > best.score) best = { availability, score };
  }
  const buyable = scan.buttons.some(({ element }) => element.attribs.disabled === undefined);
  if (best !== undefined && best.score >= 2.5) {
    // A working buy button beats a stray "sold out" of some size or colour.
    if (best.availability === 'out_of_stock' && buyable && priced) return { availability: 'in_stock', confidence: 0.4 };
    return { availability: best.availability, confidence: 0.6 };
  }
  if (buyable && priced) return { availability: 'in_stock', confidence: 0.45 };
  if (best !== undefined) return { availability: best.availability, confidence: 0.4 };
  if (priced) return { availability: 'in_stock', confidence: 0.3 };
  return { availability: undefined, confidence: 0 };
}
