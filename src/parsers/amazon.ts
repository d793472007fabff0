import { type Element, textOf } from '../pipeline/extract/dom.ts';
import { readCurrency } from '../pipeline/extract/product/amounts.ts';
import { readAvailabilityText } from '../pipeline/extract/product/availability.ts';
import { parsePrice } from '../pipeline/extract/product/price.ts';
import type { Availability } from '../pipeline/extract/types.ts';
import { stripEnd } from '../text/strip-end.ts';
import { createFinder, type Finder, type ParsedFacts, type ParserContext, type SiteParser } from './parser.ts';

// The offer a buyer gets by default, newest layout first.
const PRICES = [
  '#corePriceDisplay_desktop_feature_div .priceToPay .a-offscreen',
  '#corePrice_feature_div .a-offscreen',
  '#priceblock_dealprice',
  '#priceblock_saleprice',
  '#priceblock_ourprice',
  '#price_inside_buybox',
  '#newBuyBoxPrice',
  '#buyNewSection .offer-price',
  '#kindle-price',
  '#digital-list-price',
  '#mediaTab_heading_0 .a-color-price',
  '#tmmSwatches .swatchElement.selected .a-color-price',
  '#price',
];
const LIST_PRICES = [
  '#corePriceDisplay_desktop_feature_div .basisPrice .a-offscreen',
  '.priceBlockStrikePriceString',
  '#listPrice',
];
const BYLINE =
  /^(?:visit the|by|brand:|marke:|marca:|marque\s?:|merk:|marka:|varumärke:|besuchen sie den|visiter la boutique|visita lo store di|visita la tienda de|visita la loja da|bezoek de|ブランド:)\s*|(?:store|shop|-winkel|のストアを表示)$/gi;

/** The pages of the large marketplace that names its products by ten-character numbers. */
export const amazon: SiteParser = {
  name: 'amazon',
  version: '1',
  matches: (domain) => /^amazon\.(?:[a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$/.test(domain),
  parse(document, context) {
    const find = createFinder(document);
    const name = find.text('#productTitle', '#ebooksProductTitle', '#dmusicProductTitle_feature_div h1', '#title');
    const sku = readNumber(find, context.url);
    if (name === undefined || sku === undefined) return undefined;
    const written = find.text(...PRICES);
    const price = written === undefined ? undefined : parsePrice(written).amount;
    const facts: ParsedFacts = { name, sku };
    if (price !== undefined) {
      facts.price = price;
      const currency = readCurrency(written, context.country);
      if (currency !== undefined) facts.currency = currency;
      const listed = parsePrice(find.text(...LIST_PRICES) ?? '').amount;
      if (listed !== undefined && Number(listed) > Number(price)) facts.regularPrice = listed;
    }
    const availability = readStock(find, price !== undefined);
    if (availability !== undefined) facts.availability = availability;
    const brand = readBrand(find);
    if (brand !== undefined) facts.brand = brand;
    addReviews(find, facts);
    const category = find
      .all('#wayfinding-breadcrumbs_feature_div a')
      .map(textOf)
      .filter((text) => text !== '');
    if (category.length > 0) facts.category = category;
    const images = readImages(find, context);
    if (images.length > 0) facts.images = images;
    return facts;
  },
};

function readNumber(find: Finder, url: string): string | undefined {
  const field = find.first('input#ASIN') ?? find.first('[data-asin]');
  const inAddress = /\/(?:dp|gp\/product|gp\/aw\/d)\/([A-Z\d]{10})(?:[/?#]|$)/.exec(url)?.[1];
  const number = inAddress ?? field?.attribs.value ?? field?.attribs['data-asin'];
  return number === undefined || number === '' ? undefined : number;
}

function readStock(find: Finder, priced: boolean): Availability | undefined {
  const said = readAvailabilityText(find.text('#outOfStock', '#availability') ?? '');
  if (said !== undefined) return said;
  if (find.first('#add-to-cart-button') !== undefined || find.first('#buy-now-button') !== undefined) return 'in_stock';
  return priced ? 'in_stock' : undefined;
}

function readBrand(find: Finder): string | undefined {
  const line = find.text('#bylineInfo', '#brand', '#bylineInfo_feature_div a');
  if (line === undefined || /\((?:author|artist|autor|auteur|künstler|artista|autore)\)/i.test(line)) return undefined;
  const brand = stripEnd(line.replace(BYLINE, '').replace(BYLINE, ''), /[\s-]/).trim();
  return brand === '' || brand.length > 60 ? undefined : brand;
}

function addReviews(find: Finder, facts: ParsedFacts): void {
  const stars = find.first('#acrPopover')?.attribs.title ?? find.text('#acrPopover .a-icon-alt');
  const rating = Number(/\d(?:[.,]\d)?/.exec(stars ?? '')?.[0].replace(',', '.') ?? Number.NaN);
  if (rating >= 0 && rating <= 5) facts.rating = rating;
  const count = find.text('#acrCustomerReviewText')?.replace(/(?<=\d)[.,\s](?=\d{3})/g, '');
  const reviews = Number(/\d+/.exec(count ?? '')?.[0] ?? Number.NaN);
  if (Number.isInteger(reviews)) facts.reviewCount = reviews;
}

function readImages(find: Finder, { resolve }: ParserContext): { url: string; alt?: string }[] {
  const image: Element | undefined =
    find.first('#landingImage') ?? find.first('#imgBlkFront') ?? find.first('#ebooksImgBlkFront');
  if (image === undefined) return [];
  const sizes = Object.entries(readSizes(image.attribs['data-a-dynamic-image']));
  const largest = sizes.sort((a, b) => b[1] - a[1])[0]?.[0];
  const source = image.attribs['data-old-hires'] || largest || image.attribs.src;
  const url = source === undefined || source.startsWith('data:') ? undefined : resolve(source);
  const alt = image.attribs.alt?.trim();
  return url === undefined ? [] : [alt === undefined || alt === '' ? { url } : { url, alt }];
}

/** `{"https://…jpg": [width, height]}` → widths by address. */
function readSizes(json: string | undefined): Record<string, number> {
  try {
    const sizes = JSON.parse(json ?? '{}') as Record<string, number[]>;
    return Object.fromEntries(Object.entries(sizes).map(([url, [width = 0]]) => [url, width]));
  } catch {
    return {};
  }
}
