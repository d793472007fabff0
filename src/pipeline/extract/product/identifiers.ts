import type { Claims } from './fields.ts';
import type { ProductPage } from './page.ts';
import type { Scan } from './scan.ts';

const SOURCE = 'heuristic';
const ATTRIBUTES = [
  'data-sku',
  'data-product-sku',
  'data-sku-id',
  'data-product-id',
  'data-productid',
  'data-item-id',
  'data-itemid',
  'data-pid',
  'data-asin',
  'data-product-code',
  'data-article',
];
const INPUTS =
  /^(?:sku|asin|product[-_]?(?:id|code|sku|number)|products_id|item[-_]?id|itemid|article[-_]?(?:id|number)|pid|prod(?:uct)?id)$/i;

const ID_PARAMETER = /^(?:id|pid|sku|item|prod(?:uct)?(?:id|_id)?|products_id|article)$/i;
const NUMBER_HINT =
  /(?:product|item|article|art|prod)[-_]?(?:reference|ref|code|number|num|sku|nr|no)(?:[-_ ]|$)|(?:^|[-_ ])sku(?:[-_ ]|$)/i;

/** Numbers of the product that no label names: attributes and form fields around the buy button, then the address. */
export function findIdentifiers(page: ProductPage, scan: Scan, claims: Claims): void {
  const counts = new Map<string, number>();
  for (const { element, aside, hint, text } of scan.spots) {
    const { attribs, name } = element;
    if (aside) continue;
    if (text.length >= 3 && text.length <= 24 && NUMBER_HINT.test(hint) && /^[\w./-]+$/.test(text) && /\d/.test(text))
      claims.add('sku', text, SOURCE, 0.58);
    if (name === 'input' && INPUTS.test(attribs.name ?? attribs.id ?? '')) count(counts, attribs.value, 3);
    for (const attribute of ATTRIBUTES)
      if (attribs[attribute] !== undefined) count(counts, attribs[attribute], attribute.includes('sku') ? 2 : 1);
  }
  const inAddress = addressIds(page.url);
  const known = [...counts].sort((a, b) => b[1] - a[1]);
  const both = known.find(([id]) => inAddress.includes(id));
  if (both !== undefined) claims.add('sku', both[0], SOURCE, 0.55);
  else if (known.length === 1) claims.add('sku', known[0]![0], SOURCE, 0.5);
  else if (known.length > 1 && known[0]![1] > known[1]![1]) claims.add('sku', known[0]![0], SOURCE, 0.42);
  if (inAddress.length > 0) claims.add('sku', inAddress.at(-1)!, SOURCE, 0.35);
}

function count(counts: Map<string, number>, value: string | undefined, weight: number): void {
  const id = value?.trim();
  if (id === undefined || !/^[\w./-]{3,30}$/.test(id) || !/\d/.test(id) || /^0+$/.test(id)) return;
  counts.set(id, (counts.get(id) ?? 0) + weight);
}

/** Parts of an address that look like a product's number: /dp/B00123X5, -p4711.html, ?pid=99. */
function addressIds(url: string): string[] {
  const address = URL.parse(url);
  if (address === null) return [];
  const found: string[] = [];
  for (const segment of address.pathname.split('/')) {
    const name = segment.replace(/\.\w{2,5}$/, '');
    const whole = /^(?:[A-Z]{1,4}-?\d{5,}|(?=[A-Z\d]*\d)(?=\d*[A-Z])[A-Z\d]{8,14})$/.test(name);
    if (whole) found.push(name);
    else
      for (const match of name.matchAll(/(?<![a-z\d%])(?:[a-z]{1,3}[-_]?)?(\d{5,20})(?![a-z\d])/gi))
        found.push(match[1]!);
  }
  for (const [key, value] of address.searchParams)
    if (ID_PARAMETER.test(key) && /^[\w-]{3,25}$/.test(value) && /\d/.test(value)) found.push(value);
  return found;
}
