import type { Claims } from './fields.ts';
import type { Findings } from './heuristics.ts';
import type { ProductPage } from './page.ts';
import type { Scan } from './scan.ts';

const NEEDED = 5;
const PRODUCT_PATH =
  /\/(?:products?|prod|p|dp|item|itm|artikel|produkt[a-z]*|produit|producto|prodotto|produto|tovar|goods|detail)(?:[/_-]|$)/i;

/**
 * Whether a page that says nothing about itself shows one product: a price by a heading, something to buy it with,
 * and facts about it. Lists of products have the same marks many times over.
 */
export function isProductPage(page: ProductPage, scan: Scan, claims: Claims, findings: Findings): boolean {
  if (page.heading === undefined || isList(scan, findings)) return false;
  let points = 0;
  if (scan.buttons.length > 0) points += 3;
  const score = findings.price?.score ?? 0;
  if (score > 0) points += score >= 9 ? 3 : 2;
  points += Math.min(3, new Set(findings.labelled.map(({ name }) => name)).size);
  if (PRODUCT_PATH.test(URL.parse(page.url)?.pathname ?? '')) points += 1;
  if ((claims.origin('sku')?.confidence ?? 0) >= 0.55) points += 1;
  if (findings.price === undefined) points += isSoldOut(claims) ? 0.5 : -3;
  return points >= NEEDED;
}

function isSoldOut(claims: Claims): boolean {
  return claims.get('availability') === 'out_of_stock' || claims.get('availability') === 'discontinued';
}

/** The best price's look is that of many others, or there is a row of buy buttons. */
function isList(scan: Scan, { price, prices }: Findings): boolean {
  if (scan.buttons.length >= 5) {
    const sameLook = new Set(scan.buttons.map(({ hint, text }) => `${hint}|${text}`)).size;
    if (sameLook <= scan.buttons.length / 3) return true;
  }
  if (price === undefined || price.spot.hint === '') return false;
  const alike = prices.filter(
    ({ spot, struck, score }) => spot.hint === price.spot.hint && !struck && !spot.aside && score > price.score - 3,
  );
  return new Set(alike.map(({ amount }) => amount)).size >= 4;
}
