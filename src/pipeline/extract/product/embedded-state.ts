import { type Element, isElement, isText } from '../dom.ts';
import { readValueAt } from '../tolerant-json.ts';
import { readSchemaAvailability } from './availability.ts';
import type { Claims } from './fields.ts';
import { readGtin } from './gtin.ts';
import { isNamedLike } from './json-ld.ts';
import type { ProductPage } from './page.ts';
import { isNode, type SchemaNode, textValue } from './schema-values.ts';

const SOURCE = 'state';
const MAX_SCRIPT = 2_000_000;
const MAX_NODES = 30_000;
const HAS_PRODUCT = /["']?(?:sku|productId|product_id|productCode|ecommerce|gtin|ean|mpn|brand)["']?\s*:/i;
/** Where the data of a page starts in a script: an assignment, a call of push or set, or the whole script. */
const STARTS = /(?:=|\.push\(|\bset\([^,()]{1,60},|\bdigitalData\b[^{]{0,10})\s*(?=[{[])|^\s*(?=[{[])/g;
const MAX_STARTS = 40;

const KEYS = {
  name: ['name', 'productName', 'title', 'displayName', 'product_name', 'item_name'],
  sku: [
    'sku',
    'productSku',
    'skuId',
    'sku_id',
    'productCode',
    'product_code',
    'articleNumber',
    'itemNumber',
    'item_id',
    'productId',
    'product_id',
    'id',
  ],
  gtin: ['gtin13', 'gtin', 'ean', 'ean13', 'eanCode', 'upc', 'barcode', 'isbn'],
  mpn: ['mpn', 'manufacturerPartNumber', 'partNumber', 'modelNumber'],
  brand: ['brand', 'brandName', 'brand_name', 'manufacturer', 'item_brand', 'productBrand'],
  price: ['price', 'salePrice', 'sale_price', 'finalPrice', 'currentPrice', 'productPrice', 'unitPrice'],
  stock: ['availability', 'stockStatus', 'stock_status', 'inStock', 'in_stock', 'isInStock', 'available'],
} as const;

/**
 * Data that a page's scripts start with: tag manager layers, framework state. Found by the product's name, because no
 * two shops name their objects alike. Amounts are given back for comparison only: they may be cents.
 */
export function claimEmbeddedState(page: ProductPage, claims: Claims): Set<string> {
  const amounts = new Set<string>();
  let best: { node: SchemaNode; weight: number } | undefined;
  for (const text of scriptTexts(page)) {
    if (!HAS_PRODUCT.test(text)) continue;
    let starts = 0;
    let read = 0;
    for (const match of text.matchAll(STARTS)) {
      const at = match.index + match[0].length;
      if (at < read || ++starts > MAX_STARTS) continue;
      const { value, end } = readValueAt(text, at);
      const found = findNamed(value, page);
      read = end;
      for (const node of found) {
        const weight = weigh(node);
        const price = pick(node, KEYS.price);
        if (price !== undefined) amounts.add(String(Number(price)));
        if (weight > (best?.weight ?? 1)) best = { node, weight };
      }
    }
  }
  if (best !== undefined) claim(best.node, claims);
  return amounts;
}

function* scriptTexts(page: ProductPage): Generator<string> {
  const stack: Element[] = page.document.children.filter(isElement).toReversed();
  for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
    if (element.name === 'script') {
      const type = element.attribs.type ?? '';
      const child = element.children[0];
      if (
        element.attribs.src === undefined &&
        !/ld\+json|template|html/i.test(type) &&
        child !== undefined &&
        isText(child) &&
        child.data.length <= MAX_SCRIPT
      )
        yield child.data;
    } else
      for (let at = element.children.length - 1; at >= 0; at--) {
        const child = element.children[at]!;
        if (isElement(child)) stack.push(child);
      }
  }
}

/** Objects that bear the product's name. */
function findNamed(root: unknown, page: ProductPage): SchemaNode[] {
  const found: SchemaNode[] = [];
  const queue: unknown[] = [root];
  for (let at = 0; at < queue.length && at < MAX_NODES; at++) {
    const value = queue[at];
    if (Array.isArray(value)) queue.push(...value.slice(0, 100));
    else if (isNode(value)) {
      const name = pick(value, KEYS.name);
      if (name !== undefined && name.length > 5 && isNamedLike(name, page)) found.push(value);
      for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) queue.push(child);
    }
  }
  return found;
}

function weigh(node: SchemaNode): number {
  let weight = 0;
  for (const keys of Object.values(KEYS)) if (pick(node, keys) !== undefined) weight++;
  return weight;
}

function claim(node: SchemaNode, claims: Claims): void {
  const named = KEYS.sku.find((key) => pick(node, [key]) !== undefined);
  const sku = named === undefined ? undefined : pick(node, [named]);
  if (sku !== undefined && sku.length <= 40)
    claims.add('sku', sku, SOURCE, /sku|code|number/i.test(named!) ? 0.6 : 0.45);
  const gtin = pick(node, KEYS.gtin);
  if (gtin !== undefined) claims.add('gtin', readGtin(gtin), SOURCE, 0.65);
  claims.add('mpn', pick(node, KEYS.mpn), SOURCE, 0.6);
  const brand = pick(node, KEYS.brand);
  if (brand !== undefined && brand.length <= 60 && !/^\d+$/.test(brand)) claims.add('brand', brand, SOURCE, 0.65);
  const stock = KEYS.stock.map((key) => node[key]).find((value) => value !== undefined);
  if (typeof stock === 'boolean') claims.add('availability', stock ? 'in_stock' : 'out_of_stock', SOURCE, 0.5);
  else if (typeof stock === 'string') claims.add('availability', readSchemaAvailability(stock), SOURCE, 0.55);
}

function pick(node: SchemaNode, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = textValue(node[key]);
    if (text !== undefined) return text;
  }
  return undefined;
}
