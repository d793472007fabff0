import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseHtml } from '../pipeline/extract/dom.ts';
import { extractProduct } from '../pipeline/extract/product/extract-product.ts';
import { parserFor, parserNamed, parserNames } from './index.ts';

function extract(fixture: string, url: string, parser?: string) {
  const html = readFileSync(new URL(`../../test/fixtures/parsers/${fixture}`, import.meta.url), 'utf8');
  const title = /<title>(.*?)<\/title>/.exec(html)![1]!;
  return extractProduct(parseHtml(html), parser === undefined ? { url, title } : { url, title, parser });
}

test('the registry finds parsers by domain and by name', () => {
  assert.equal(parserFor('https://www.amazon.co.uk/dp/B004SNMXRS')?.name, 'amazon');
  assert.equal(parserFor('https://rye-and-salt.myshopify.com/products/x')?.name, 'shopify');
  assert.equal(parserFor('https://amazon.example.com/dp/B004SNMXRS'), undefined);
  assert.equal(parserFor('nonsense'), undefined);
  for (const name of parserNames()) assert.match(parserNamed(name)!.version, /^\d+$/);
});

test('a marketplace page in German', () => {
  const product = extract('amazon-product.html', 'https://www.amazon.de/Nordlicht-Teekanne/dp/B0TEAPOT12/ref=sr_1_1');
  assert.deepEqual(
    { ...product, origins: undefined, confidence: undefined, issues: undefined, description: undefined },
    {
      name: 'Nordlicht Teekanne aus Glas, 1,2 Liter',
      price: '27.99',
      regularPrice: '39.95',
      currency: 'EUR',
      availability: 'in_stock',
      rating: 4.6,
      reviewCount: 1234,
      brand: 'Nordlicht',
      category: ['Küche, Haushalt & Wohnen', 'Tee', 'Teekannen'],
      sku: 'B0TEAPOT12',
      gtin: '4006381333931',
      mpn: 'NL-TK-12',
      images: [{ url: 'https://m.media.example/images/kanne-1500.jpg', alt: 'Nordlicht Teekanne' }],
      parser: 'amazon',
      parserVersion: '1',
      origins: undefined,
      confidence: undefined,
      issues: undefined,
      description: undefined,
    },
  );
  assert.equal(product?.origins.price?.source, 'parser:amazon');
  assert.equal(product?.origins.gtin?.source, 'heuristic');
});

test('a marketplace page of something that is gone has no price', () => {
  const product = extract('amazon-gone.html', 'https://www.amazon.com/dp/B0SEASALT2');
  assert.deepEqual(
    [product?.name, product?.price, product?.availability, product?.brand, product?.sku],
    ['Harbor Sea Salt, 2 lb', undefined, 'out_of_stock', 'Harbor', 'B0SEASALT2'],
  );
  assert.ok(product?.issues.includes('price_missing'));
});

test('a small shop on a platform: the variant of the address, else one that is in stock', () => {
  const url = 'https://rye.example/products/linen-apron';
  const product = extract('shopify-product.html', url, 'shopify');
  assert.deepEqual(
    [product?.price, product?.currency, product?.availability, product?.sku, product?.brand],
    ['52.5', 'CAD', 'in_stock', 'AP-MOSS', 'Rye & Salt'],
  );
  assert.deepEqual(product?.category, ['Kitchen', 'Aprons']);
  assert.equal(product?.variants?.length, 2);
  const sand = extract('shopify-product.html', `${url}?variant=11`, 'shopify');
  assert.deepEqual(
    [sand?.price, sand?.regularPrice, sand?.availability, sand?.gtin],
    ['48', '60', 'out_of_stock', '4006381333931'],
  );
});

test('a page the parser does not know falls back to what any page shows', () => {
  const product = extract('shopify-product.html', 'https://rye.example/products/linen-apron', 'amazon');
  assert.equal(product?.parser, 'generic');
  assert.equal(product?.price, '48');
  assert.equal(extract('amazon-gone.html', 'https://www.amazon.com/gp/help', 'shopify')?.parser, undefined);
});
