import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../dom.ts';
import type { ExtractedProduct } from '../types.ts';
import { extractProduct } from './extract-product.ts';

function extract(body: string, { url = 'https://shop.example/p/blue-mug-4711', head = '', title = 'Blue mug' } = {}) {
  const html = `<html lang="en-GB"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
  return extractProduct(parseHtml(html), { url, title });
}

const jsonLd = (value: unknown) =>
  `<script type="application/ld+json">${typeof value === 'string' ? value : JSON.stringify(value)}</script>`;
const BUY = '<button class="add-to-cart">Add to cart</button>';

function facts(product: ExtractedProduct | undefined, ...names: (keyof ExtractedProduct)[]) {
  assert.ok(product !== undefined, 'a product is found');
  return Object.fromEntries(names.map((name) => [name, product[name]]));
}

test('JSON-LD: graph, nested offers, brand node, rating on another scale, breadcrumbs', () => {
  const product = extract('<h1>Blue mug</h1>', {
    head: jsonLd({
      '@graph': [
        {
          '@type': 'BreadcrumbList',
          itemListElement: [
            { position: 2, name: 'Kitchen' },
            { position: 1, name: 'Home' },
            { position: 3, item: { name: 'Mugs' } },
            { position: 4, name: 'Blue mug' },
          ],
        },
        {
          '@type': ['Product', 'Thing'],
          name: 'Blue mug &amp; lid',
          sku: 'MUG-1',
          gtin13: '4006381333931',
          brand: { name: 'Acme' },
          image: ['/a.jpg', { url: 'https://cdn.example/b.jpg' }],
          aggregateRating: { ratingValue: '8', bestRating: 10, reviewCount: '12' },
          offers: {
            '@type': 'AggregateOffer',
            lowPrice: '9.50',
            highPrice: 12,
            priceCurrency: 'GBP',
            offers: [
              { price: '9.50', priceCurrency: 'GBP', availability: 'https://schema.org/OutOfStock' },
              { price: 12, priceCurrency: 'GBP', availability: 'InStock' },
            ],
          },
        },
      ],
    }),
  });
  assert.deepEqual(
    facts(
      product,
      'name',
      'price',
      'currency',
      'availability',
      'rating',
      'reviewCount',
      'brand',
      'sku',
      'gtin',
      'category',
    ),
    {
      name: 'Blue mug & lid',
      price: '9.5',
      currency: 'GBP',
      availability: 'in_stock',
      rating: 4,
      reviewCount: 12,
      brand: 'Acme',
      sku: 'MUG-1',
      gtin: '4006381333931',
      category: ['Kitchen', 'Mugs'],
    },
  );
  assert.deepEqual(
    product?.images?.map(({ url }) => url),
    ['https://shop.example/a.jpg', 'https://cdn.example/b.jpg'],
  );
  assert.equal(product?.origins.price?.source, 'json-ld');
});

test('JSON-LD as shops break it: comments, trailing commas, entities', () => {
  const head = jsonLd(
    `/* shop */ {"@type": "Product", "name": "Mug", "offers": {"price": "1.234,50", "priceCurrency": "EUR",},}`,
  );
  assert.deepEqual(facts(extract('<h1>Mug</h1>', { head }), 'price', 'currency'), { price: '1234.5', currency: 'EUR' });
  const escaped = jsonLd(
    '{&quot;@type&quot;:&quot;Product&quot;,&quot;name&quot;:&quot;Mug&quot;,&quot;sku&quot;:&quot;7&quot;}',
  );
  assert.equal(extract('<h1>Mug</h1>', { head: escaped })?.sku, '7');
});

test('JSON-LD: list price, variants, and a group of products', () => {
  const offer = (price: number, availability: string) => ({ price, priceCurrency: 'USD', availability });
  const product = extract('<h1>Shirt</h1>', {
    title: 'Shirt',
    head: jsonLd({
      '@type': 'ProductGroup',
      name: 'Shirt',
      productGroupID: 'S',
      hasVariant: [
        {
          '@type': 'Product',
          name: 'Shirt S',
          sku: 'S-S',
          offers: { ...offer(20, 'OutOfStock'), priceSpecification: { priceType: 'ListPrice', price: 30 } },
        },
        { '@type': 'Product', name: 'Shirt M', sku: 'S-M', offers: offer(22, 'InStock') },
      ],
    }),
  });
  assert.deepEqual(facts(product, 'name', 'price', 'regularPrice', 'availability'), {
    name: 'Shirt',
    price: '20',
    regularPrice: '30',
    availability: 'in_stock',
  });
  assert.deepEqual(product?.variants?.[1], { name: 'Shirt M', sku: 'S-M', price: '22', availability: 'in_stock' });
});

test('microdata and RDFa', () => {
  const micro = extract(`<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Lamp</h1>
    <a itemprop="brand" href="/b">Lumen</a><meta itemprop="sku" content="L-9">
    <div itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="49.90">49,90 €</span>
    <meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="https://schema.org/InStock"></div></div>`);
  assert.deepEqual(facts(micro, 'name', 'price', 'currency', 'availability', 'brand', 'sku'), {
    name: 'Lamp',
    price: '49.9',
    currency: 'EUR',
    availability: 'in_stock',
    brand: 'Lumen',
    sku: 'L-9',
  });
  const rdfa = extract(`<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Chair</h1>
    <div property="offers" typeof="Offer"><span property="price">120.00</span><meta property="priceCurrency" content="CHF"></div></div>`);
  assert.deepEqual(facts(rdfa, 'name', 'price', 'currency'), { name: 'Chair', price: '120', currency: 'CHF' });
  assert.equal(rdfa?.origins.price?.source, 'rdfa');
});

test('Open Graph, with a sale', () => {
  const product = extract('<h1>Bag</h1>', {
    head: `<meta property="og:type" content="product"><meta property="product:price:amount" content="80">
      <meta property="product:sale_price:amount" content="64,00"><meta property="product:price:currency" content="EUR">
      <meta property="product:availability" content="in stock"><meta property="product:retailer_item_id" content="BAG-1">`,
  });
  assert.deepEqual(facts(product, 'price', 'regularPrice', 'currency', 'availability', 'sku'), {
    price: '64',
    regularPrice: '80',
    currency: 'EUR',
    availability: 'in_stock',
    sku: 'BAG-1',
  });
});

const VISIBLE = `<nav class="breadcrumb"><a href="/">Home</a> › <a href="/k">Kitchen</a></nav>
  <main><h1>Blue mug</h1><div class="prices"><span class="old-price">£12.00</span> <span class="price"><b>£9</b><sup>99</sup></span>
  <span class="unit">£3.33 / 100 g</span></div><p>Save £2.01</p>${BUY}<p class="stock">In stock</p>
  <table><tr><th>Item number</th><td>4711</td></tr><tr><th>EAN</th><td>4006381333931</td></tr></table><dl><dt>Brand</dt><dd>Acme</dd></dl></main>
  <div class="related-products"><a href="/x">Other <span class="price">£1.50</span></a></div>`;

test('a page without any data: price by the button, crossed-out price, labels, breadcrumbs', () => {
  const product = extract(VISIBLE);
  assert.deepEqual(
    facts(product, 'name', 'price', 'regularPrice', 'currency', 'availability', 'sku', 'gtin', 'brand', 'category'),
    {
      name: 'Blue mug',
      price: '9.99',
      regularPrice: '12',
      currency: 'GBP',
      availability: 'in_stock',
      sku: '4711',
      gtin: '4006381333931',
      brand: 'Acme',
      category: ['Kitchen'],
    },
  );
  assert.equal(product?.origins.price?.source, 'heuristic');
  assert.ok(product!.confidence < 0.8);
});

test('other languages and locale formats', () => {
  const german = extract(
    '<h1>Blaue Tasse</h1><span class="preis">1.299,00 €</span><button>In den Warenkorb</button><p class="lieferung">Sofort lieferbar</p><p>Artikel-Nr.: TA-77</p>',
    {
      url: 'https://laden.example.de/artikel/tasse',
      title: 'Blaue Tasse',
    },
  );
  assert.deepEqual(facts(german, 'price', 'currency', 'availability', 'sku'), {
    price: '1299',
    currency: 'EUR',
    availability: 'in_stock',
    sku: 'TA-77',
  });
  const gone = extract(
    '<h1>Modrý hrnek</h1><span class="cena">450 Kč</span><button class="add-to-cart" disabled>Do košíku</button><p class="dostupnost">Vyprodáno</p>',
    { title: 'Modrý hrnek' },
  );
  assert.deepEqual(facts(gone, 'price', 'currency', 'availability'), {
    price: '450',
    currency: 'CZK',
    availability: 'out_of_stock',
  });
});

test('what the page shows beats data that still has the old price', () => {
  const product = extract(VISIBLE, {
    head: jsonLd({ '@type': 'Product', name: 'Blue mug', offers: { price: 12, priceCurrency: 'GBP' } }),
  });
  assert.equal(product?.price, '9.99');
});

test('variants of a list of options and of radio buttons', () => {
  const options = extract(
    `<h1>Blue mug</h1><span class="price">£9.99</span><form action="/cart/add"><select name="qty"><option>1</option><option>2</option></select>
    <select name="id"><option value="">Choose a size</option><option value="1">Small – £9.99</option><option value="2" disabled>Large – £12.50</option></select>${BUY}</form>`,
  );
  assert.deepEqual(options?.variants, [
    { name: 'Small – £9.99', price: '9.99' },
    { name: 'Large – £12.50', price: '12.5', availability: 'out_of_stock' },
  ]);
  const radios = extract(
    `<h1>Blue mug</h1><span class="price">£9.99</span>${BUY}<input type="radio" name="color" id="c1"><label for="c1">Red</label>
    <input type="radio" name="color" id="c2"><label for="c2">Green (sold out)</label>`,
  );
  assert.deepEqual(radios?.variants, [{ name: 'Red' }, { name: 'Green (sold out)', availability: 'out_of_stock' }]);
});

test('state of scripts fills in what nothing else says', () => {
  const script =
    '<script>window.dataLayer = window.dataLayer || []; dataLayer.push({ecommerce: {detail: {products: [{name: "Blue mug", sku: "MUG-BL", brand: "Acme", price: 9.99}]}}});</script>';
  const product = extract(`<h1>Blue mug</h1><span class="price">£9.99</span>${BUY}${script}`);
  assert.deepEqual(facts(product, 'sku', 'brand', 'price'), { sku: 'MUG-BL', brand: 'Acme', price: '9.99' });
});

test('lists, articles and paid newspapers are no products', () => {
  const card = (n: number) =>
    `<div class="card"><h2><a href="/p/${n}">Mug ${n}</a></h2><span class="price">£${n}.00</span>${BUY}</div>`;
  assert.equal(
    extract(`<h1>Mugs</h1>${[1, 2, 3, 4, 5, 6, 7, 8].map(card).join('')}`, {
      title: 'Mugs',
      url: 'https://shop.example/mugs',
    }),
    undefined,
  );
  const list = jsonLd({
    '@type': 'ItemList',
    itemListElement: [1, 2, 3].map((n) => ({ item: { '@type': 'Product', name: `Mug ${n}`, offers: { price: n } } })),
  });
  assert.equal(extract('<h1>Mugs</h1><p>All our mugs.</p>', { head: list }), undefined);
  assert.equal(extract('<h1>How we price mugs</h1><p>A mug costs £9.99 today. It cost £5 before.</p>'), undefined);
  const article = jsonLd({
    '@type': 'NewsArticle',
    isPartOf: { '@type': ['CreativeWork', 'Product'], name: 'The Daily', productID: 'daily:basic' },
  });
  assert.equal(extract('<h1>News</h1><p>Text.</p>', { head: article }), undefined);
});

test('rules that are broken are named, and the product is kept', () => {
  const product = extract('<h1>Blue mug</h1>', {
    head: jsonLd({ '@type': 'Product', name: 'Blue mug', sku: 'X', gtin13: '4006381333930', offers: { price: 0 } }),
  });
  assert.equal(product?.gtin, undefined);
  assert.ok(
    product?.issues.includes('price_zero') &&
      product.issues.includes('price_low_confidence') &&
      product.issues.includes('images_missing'),
  );
});
