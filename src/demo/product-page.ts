import { renderPage } from './layout.ts';
import { escapeHtml } from './markup.ts';
import { aboutFamily, PRODUCTS, type Product, reviewOf, slugOf } from './products.ts';

const SYMBOLS = { EUR: '€', USD: '$', GBP: '£' } as const;
const STOCK = { InStock: 'In stock', OutOfStock: 'Out of stock', PreOrder: 'Pre-order' } as const;

const amount = (cents: number) => (cents / 100).toFixed(2);
const readable = (cents: number, currency: Product['currency']) =>
  `${SYMBOLS[currency]}${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

export function renderProduct(index: number, price: number, origin: string): string {
  const product = PRODUCTS[index]!;
  const path = `/shop/${product.slug}`;
  const image = `${origin}/images/${product.sku.toLowerCase()}.png`;
  const family = `/shop/family/${slugOf(product.family)}`;
  const body = { 'json-ld': renderPlain, microdata: renderMicrodata, plain: renderPlain }[product.markup];
  return renderPage({
    title: product.name,
    description: product.description,
    path,
    head: product.markup === 'json-ld' ? renderJsonLd(product, price, origin, image) : '',
    body: `<p class="crumbs"><a href="/shop/">Shop</a> › <a href="${family}">${escapeHtml(product.family)}</a></p>
${body(product, price, image)}
<h2>In use</h2>
<p>${escapeHtml(reviewOf(index))}</p>
<h2>About ${escapeHtml(product.family.toLowerCase())}</h2>
<p>${escapeHtml(aboutFamily(product.family))}</p>
<h2>Goes well with</h2>
<ul>${[7, 16, 29].map((step) => relatedLink((index + step) % PRODUCTS.length)).join('')}</ul>`,
  });
}

const relatedLink = (index: number) =>
  `<li><a href="/shop/${PRODUCTS[index]!.slug}">${escapeHtml(PRODUCTS[index]!.name)}</a></li>`;

function renderJsonLd(product: Product, price: number, origin: string, image: string): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    description: product.description,
    sku: product.sku,
    gtin13: product.gtin,
    brand: { '@type': 'Brand', name: product.brand },
    category: product.family,
    image: [image],
    offers: {
      '@type': 'Offer',
      url: `${origin}/shop/${product.slug}`,
      price: amount(price),
      priceCurrency: product.currency,
      availability: `https://schema.org/${product.availability}`,
    },
    ...(product.rating && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: product.rating.value,
        reviewCount: product.rating.count,
      },
    }),
  };
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>\n`;
}

/** No structured data: what a reader sees is all there is. */
function renderPlain(product: Product, price: number, image: string): string {
  const was =
    product.regularPrice === undefined
      ? ''
      : `<del class="was">${readable(product.regularPrice + price - product.price, product.currency)}</del>`;
  return `<div class="product">
<img src="${image}" alt="${escapeHtml(product.name)}" width="320" height="240">
<div>
<h1>${escapeHtml(product.name)}</h1>
<p class="brand-line">by <span class="product-brand">${escapeHtml(product.brand)}</span></p>
<p><span class="price">${readable(price, product.currency)}</span>${was}</p>
<p class="stock">${STOCK[product.availability]}</p>
<button type="button" class="add-to-cart">Add to basket</button>
<p class="product-description">${escapeHtml(product.description)}</p>
${renderFacts(product)}
</div>
</div>`;
}

function renderMicrodata(product: Product, price: number, image: string): string {
  const rating =
    product.rating === undefined
      ? ''
      : `<p itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating">Rated
<span itemprop="ratingValue">${product.rating.value}</span> by <span itemprop="reviewCount">${product.rating.count}</span> growers</p>`;
  return `<div class="product" itemscope itemtype="https://schema.org/Product">
<img itemprop="image" src="${image}" alt="${escapeHtml(product.name)}" width="320" height="240">
<div>
<h1 itemprop="name">${escapeHtml(product.name)}</h1>
<p itemprop="brand" itemscope itemtype="https://schema.org/Brand">by <span itemprop="name">${escapeHtml(product.brand)}</span></p>
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
<p class="price">${SYMBOLS[product.currency]}<span itemprop="price" content="${amount(price)}">${readable(price, product.currency).slice(1)}</span></p>
<meta itemprop="priceCurrency" content="${product.currency}">
<link itemprop="availability" href="https://schema.org/${product.availability}"><p class="stock">${STOCK[product.availability]}</p>
</div>
<p itemprop="description">${escapeHtml(product.description)}</p>
${rating}
<meta itemprop="sku" content="${product.sku}"><meta itemprop="gtin13" content="${product.gtin}">
<meta itemprop="category" content="${escapeHtml(product.family)}">
</div>
</div>`;
}

const renderFacts = (product: Product) => `<table>
<tr><th>SKU</th><td>${product.sku}</td></tr>
<tr><th>EAN</th><td>${product.gtin}</td></tr>
<tr><th>Category</th><td>${escapeHtml(product.family)}</td></tr>
${product.rating === undefined ? '' : `<tr><th>Rating</th><td>${product.rating.value} out of 5 (${product.rating.count} reviews)</td></tr>\n`}</table>`;
