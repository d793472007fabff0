/**
 * Product pages with known facts: `node eval/products.ts <folder> [--show field]`, where the folder holds
 * `ground-truth.json` and `html/<id>.html.gz`. Ends with one JSON line: F1 per field (micro, any of several right values
 * counts), beside what the structured data alone gives.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeBody } from '../src/pipeline/extract/charset.ts';
import { parseHtml } from '../src/pipeline/extract/dom.ts';
import { readHead } from '../src/pipeline/extract/page-head.ts';
import { extractProduct, readStructured } from '../src/pipeline/extract/product/extract-product.ts';
import { readTitle } from '../src/pipeline/extract/title.ts';
import type { ExtractedProduct } from '../src/pipeline/extract/types.ts';

type Facts = Partial<Record<Field, string>>;
const FIELDS = ['price', 'sku', 'availability', 'gtin', 'mpn', 'brand', 'name'] as const;
type Field = (typeof FIELDS)[number];

const [folder, flag, shown] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node eval/products.ts <folder> [--show field]');
const truth = JSON.parse(readFileSync(join(folder, 'ground-truth.json'), 'utf8')) as Record<
  string,
  Record<string, string[]> & { url: string }
>;

const ours: Record<string, Facts> = {};
const generic: Record<string, Facts> = {};
const structured: Record<string, Facts> = {};
const cpu = process.cpuUsage();
let spent = 0;
for (const [id, { url }] of Object.entries(truth)) {
  const html = decodeBody(gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))), 'text/html').text;
  const document = parseHtml(html);
  const head = readHead(document);
  const title = readTitle(head, url);
  const before = process.cpuUsage(cpu).user;
  const product = extractProduct(document, { url, title, head });
  spent += process.cpuUsage(cpu).user - before;
  ours[id] = factsOf(product);
  generic[id] = factsOf(extractProduct(document, { url, title, head, parser: 'generic' }));
  structured[id] = factsOf(readStructured(document, { url, title, head }));
  const field = shown as Field | undefined;
  if (flag === '--show' && field !== undefined) {
    const right = truth[id]![field] ?? [];
    const got = ours[id]![field];
    if (!(got === undefined ? right.length === 0 : right.some((one) => same(field, one, got))))
      console.error(id.slice(0, 8), url.slice(0, 60), 'want', right, 'got', got, product?.origins[field]);
  }
}

function factsOf(product: Partial<ExtractedProduct> | undefined): Facts {
  const facts: Facts = {};
  for (const field of FIELDS) {
    const value = product?.[field];
    if (value === undefined) continue;
    facts[field] = field === 'availability' ? (/^(out|disc)/.test(value) ? 'OutOfStock' : 'InStock') : value;
  }
  return facts;
}

function same(field: Field, a: string, b: string): boolean {
  return field === 'price' ? Number(a) === Number(b) : a === b;
}

function score(facts: Record<string, Facts>, field: Field) {
  let hits = 0;
  let wrong = 0;
  let missed = 0;
  for (const [id, gold] of Object.entries(truth)) {
    const right = gold[field] ?? [];
    const got = facts[id]![field];
    if (got === undefined) missed += right.length > 0 ? 1 : 0;
    else if (right.some((one) => same(field, one, got))) hits++;
    else {
      wrong++;
      missed += right.length > 0 ? 1 : 0;
    }
  }
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return {
    f1: round((2 * hits) / (2 * hits + wrong + missed)),
    precision: round(hits / (hits + wrong)),
    recall: round(hits / (hits + missed)),
  };
}

/** Fields the truth knows something about. */
const known = FIELDS.filter((field) => Object.values(truth).some((gold) => (gold[field] ?? []).length > 0));
const table = (facts: Record<string, Facts>) => Object.fromEntries(known.map((field) => [field, score(facts, field)]));
const pages = Object.keys(truth).length;
console.log(
  JSON.stringify({
    eval: 'products',
    pages,
    cpu_ms_per_page: Math.round(spent / 10 / pages) / 100,
    crawl4r: table(ours),
    without_site_parsers: table(generic),
    structured_data_alone: table(structured),
  }),
);
