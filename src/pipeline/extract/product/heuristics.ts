import { collapse } from '../dom.ts';
import { currencyOfCountry, readCurrency } from './amounts.ts';
import { readAvailabilityText } from './availability.ts';
import { readBreadcrumbs, toCategory } from './breadcrumbs.ts';
import type { Claims } from './fields.ts';
import { readGtin } from './gtin.ts';
import { findIdentifiers } from './identifiers.ts';
import { findLabelled, type Labelled } from './labels.ts';
import type { ProductPage } from './page.ts';
import { findImages } from './page-images.ts';
import type { Scan } from './scan.ts';
import { findVariants } from './variants.ts';
import { findPrices, type PriceSpot } from './visible-price.ts';
import { findStock } from './visible-stock.ts';

const SOURCE = 'heuristic';
const GOOD_PRICE = 6;

export interface Findings {
  /** The best visible price, when there is a good one. */
  price: PriceSpot | undefined;
  prices: PriceSpot[];
  labelled: Labelled[];
}

/** What the page itself shows, for what its data does not say. */
export function claimVisible(
  page: ProductPage,
  scan: Scan,
  claims: Claims,
  offered: ReadonlySet<string>,
  stated: ReadonlySet<string>,
): Findings {
  const prices = findPrices(scan, new Set([...offered, ...stated]));
  const best = prices[0];
  const price = best !== undefined && best.score >= GOOD_PRICE && !best.struck ? best : undefined;
  if (price !== undefined) claimPrice(page, price, prices, claims, offered);

  claims.add('name', collapse(page.headingText), SOURCE, 0.7);
  claims.add('category', toCategory(readBreadcrumbs(scan), claims.get('name'), page.headingText), SOURCE, 0.55);
  const labelled = findLabelled(scan);
  doubtUnseenSku(page, scan, claims);
  claimLabelled(labelled, claims);
  findIdentifiers(page, scan, claims);
  claims.add('images', findImages(page, scan), SOURCE, 0.4);
  claims.add('variants', findVariants(scan), SOURCE, 0.45);
  const stock = findStock(scan, price !== undefined || claims.get('price') !== undefined);
  claims.add('availability', stock.availability, SOURCE, stock.confidence);
  return { price, prices, labelled };
}

function claimPrice(
  page: ProductPage,
  best: PriceSpot,
  prices: readonly PriceSpot[],
  claims: Claims,
  offered: ReadonlySet<string>,
): void {
  const confidence = Math.min(0.75, 0.35 + best.score / 40);
  const told = claims.get('price');
  const contradicted = told !== undefined && told !== best.amount && contradicts(best, told, prices, offered);
  const trust = contradicted ? 0.96 : confidence;
  claims.add('price', best.amount, SOURCE, trust);
  const mark = best.mark ?? prices.find((one) => one.mark !== undefined && !one.spot.aside)?.mark;
  claims.add('currency', readCurrency(mark, page.country), SOURCE, 0.6);
  claims.add('currency', currencyOfCountry(page.country), SOURCE, 0.3);
  const before = prices.find(
    (one) =>
      one.struck &&
      !one.spot.aside &&
      Number(one.amount) > Number(best.amount) &&
      Number(one.amount) < Number(best.amount) * 10,
  );
  if (before !== undefined) claims.add('regularPrice', before.amount, SOURCE, 0.5);
}

/** A page is what a buyer sees: data that shows another price than its buy box is out of date, or about another offer. */
function contradicts(
  best: PriceSpot,
  told: string,
  prices: readonly PriceSpot[],
  offered: ReadonlySet<string>,
): boolean {
  const shown = prices.filter((one) => one.amount === told && !one.spot.aside);
  if (shown.some((one) => one.struck) && best.score >= GOOD_PRICE + 3) return true;
  if (offered.has(best.amount) && best.score >= GOOD_PRICE + 3) return true;
  return shown.length === 0 && best.mark !== undefined && best.score >= GOOD_PRICE + 4;
}

/** A number that stands neither on the page nor in its address is the shop's own affair; one that does is better. */
function doubtUnseenSku(page: ProductPage, scan: Scan, claims: Claims): void {
  const sku = claims.get('sku');
  if (sku === undefined || page.url.includes(sku)) return;
  if (scan.spots.some(({ text, hidden }) => !hidden && text.includes(sku))) return;
  claims.weaken('sku', 0.5);
}

function claimLabelled(labelled: readonly Labelled[], claims: Claims): void {
  for (const { name, value, spot } of labelled) {
    const doubt = spot.hidden ? 0.1 : 0;
    if (name === 'gtin') claims.add('gtin', readGtin(value), SOURCE, 0.7 - doubt);
    else if (name === 'stock') claims.add('availability', readAvailabilityText(value), SOURCE, 0.65 - doubt);
    else if (name === 'brand') {
      if (value.length <= 50 && !/^[\d\s]+$/.test(value)) claims.add('brand', value, SOURCE, 0.6 - doubt);
    } else {
      const id = value
        .replace(/^[#№:\s]+/, '')
        .split(/\s{2,}|\s[|(]|,\s/)[0]!
        .trim();
      if (/\d/.test(id) && id.length <= 40 && id.split(' ').length <= 3) claims.add(name, id, SOURCE, 0.6 - doubt);
    }
  }
}
