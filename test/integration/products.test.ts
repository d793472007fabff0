import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ExtractedProduct } from '../../src/pipeline/extract/types.ts';
import { type ReadProduct, storeProducts } from '../../src/pipeline/store/store-products.ts';
import { hashUrl } from '../../src/web/url.ts';
import { createTestApi, type TestApi } from '../support/api.ts';

const product = (facts: Partial<ExtractedProduct>): ExtractedProduct => ({
  name: 'Blue mug',
  origins: { name: { source: 'json-ld', confidence: 0.95 } },
  confidence: 0.9,
  issues: [],
  parser: 'generic',
  parserVersion: '1',
  ...facts,
});

const page = (path: string, found: ExtractedProduct | undefined, more: Partial<ReadProduct> = {}): ReadProduct => {
  const url = `https://shop.example.com/${path}`;
  const hash = hashUrl(url).toString('hex');
  return {
    url,
    url_hash: hash,
    domain: 'example.com',
    page_id: null,
    product: found,
    parser: null,
    shadow_parser: null,
    ...more,
  };
};

describe('products', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api[Symbol.asyncDispose]());

  const store = (...pages: ReadProduct[]) => api.app.database.transaction((tx) => storeProducts(tx, pages));
  const list = async (query = '') => (await api.call('GET', `/products${query}`)).body;
  const named = async (query: string) => (await list(query)).items.map((item: { name: string }) => item.name).sort();

  it('keep one row an address, and a price history of changes only', async () => {
    const mug = (facts: Partial<ExtractedProduct>) =>
      page('mug', product({ currency: 'GBP', availability: 'in_stock', ...facts }));
    await store(mug({ price: '9.5' }));
    const first = (await list()).items[0];
    await store(mug({ price: '9.5' }));
    const same = (await list()).items[0];
    assert.deepEqual([same.id, same.price, same.updated_at], [first.id, '9.5', first.updated_at]);
    await store(mug({ price: '8', regularPrice: '9.5' }));
    await store(mug({ price: '8', regularPrice: '9.5', description: 'Now with words' }));
    await store(mug({ price: '8', regularPrice: '9.5', description: 'Now with words', availability: 'out_of_stock' }));
    const { body } = await api.call('GET', `/products/${first.id}/history`);
    assert.deepEqual(
      body.items.map((entry: Record<string, unknown>) => [entry.price, entry.regular_price, entry.availability]),
      [
        ['8', '9.5', 'out_of_stock'],
        ['8', '9.5', 'in_stock'],
        ['9.5', null, 'in_stock'],
      ],
    );
    const half = (await api.call('GET', `/products/${first.id}/history?limit=2`)).body;
    const rest = (await api.call('GET', `/products/${first.id}/history?limit=2&cursor=${half.next_cursor}`)).body;
    assert.deepEqual([half.items.length, rest.items.length, rest.has_more], [2, 1, false]);
  });

  it('show where facts came from, with variants and images in order', async () => {
    const images = [{ url: 'https://cdn.example.com/1.jpg', alt: 'Front' }, { url: 'https://cdn.example.com/2.jpg' }];
    await store(page('lamp', product({ name: 'Lamp', images, variants: [{ name: 'Red', sku: 'L-R', price: '5' }] })));
    const [{ id }] = (await list('?query=lamp')).items;
    await store(
      page(
        'lamp',
        product({ name: 'Lamp', images: [images[1]!], variants: [{ name: 'Red', sku: 'L-R', price: '5' }] }),
      ),
    );
    const { body } = await api.call('GET', `/products/${id}`);
    assert.deepEqual(
      body.images.map((image: Record<string, unknown>) => [image.url, image.alt, image.kind]),
      [['https://cdn.example.com/2.jpg', null, 'primary']],
    );
    assert.deepEqual(body.variants, [{ name: 'Red', sku: 'L-R', price: '5' }]);
    assert.deepEqual(body.origins, { name: { source: 'json-ld', confidence: 0.95 } });
    assert.equal((await api.call('GET', '/products/01920000-0000-7000-8000-000000000001')).status, 404);
  });

  it('are filtered by every fact, and paged', async () => {
    await store(
      page(
        'a',
        product({
          name: 'Alpha chair',
          price: '10',
          currency: 'EUR',
          brand: 'Acme',
          rating: 4.5,
          category: ['Home', 'Chairs'],
          sku: 'A-1',
        }),
      ),
      page(
        'b',
        product({
          name: 'Beta chair',
          price: '99.99',
          currency: 'EUR',
          brand: 'ACME',
          rating: 3,
          category: ['Home', 'Sofas'],
          gtin: '4006381333931',
        }),
      ),
      page(
        'c',
        product({
          name: 'Gamma table',
          price: '50',
          currency: 'USD',
          brand: 'Other',
          description: 'seats a chair or two',
          availability: 'preorder',
        }),
      ),
    );
    assert.deepEqual(await named('?query=chair'), ['Alpha chair', 'Beta chair', 'Gamma table']);
    assert.deepEqual(await named('?brand=acme'), ['Alpha chair', 'Beta chair']);
    assert.deepEqual(await named('?category=chairs'), ['Alpha chair']);
    assert.deepEqual(await named('?currency=eur&min_price=20&max_price=100'), ['Beta chair']);
    assert.deepEqual(await named('?min_rating=4'), ['Alpha chair']);
    assert.deepEqual(await named('?availability=preorder'), ['Gamma table']);
    assert.deepEqual(await named('?sku=A-1'), ['Alpha chair']);
    assert.deepEqual(await named('?gtin=4006381333931'), ['Beta chair']);
    assert.deepEqual(await named('?domain=other.example'), []);
    const first = await list('?query=chair&limit=2');
    const second = await list(`?query=chair&limit=2&cursor=${first.next_cursor}`);
    assert.equal(new Set([...first.items, ...second.items].map((item: { id: string }) => item.id)).size, 3);
    assert.equal(second.has_more, false);
    assert.equal((await api.call('GET', '/products?min_price=x')).status, 400);
  });

  it('survive what pages can hold', async () => {
    await store(
      page(
        'odd',
        product({ name: 'odd \0 \ud800 name', price: '99999999999999999', reviewCount: 1e12, brand: "x'; --" }),
      ),
    );
    const [{ name, price, review_count }] = (await list("?brand=x'; --")).items;
    assert.deepEqual([name.startsWith('odd '), price, review_count], [true, null, 2 ** 31 - 1]);
  });

  it('count how parsers do, and what a parser on trial would change', async () => {
    const at = (n: number) => `amazon/dp/B00000000${n}`;
    const amazon = { domain: 'amazon.com', parser: 'amazon', shadow_parser: 'shopify' };
    await store(
      page(at(1), product({ price: '5', parser: 'amazon' }), {
        ...amazon,
        shadowProduct: product({ price: '6', parser: 'shopify' }),
      }),
      page(at(2), product({ price: '5' }), { ...amazon, shadowProduct: product({ price: '5', parser: 'shopify' }) }),
      page('about', undefined, amazon),
    );
    await store(page(at(3), product({ parser: 'amazon' }), amazon));
    const { items } = (await api.call('GET', '/parsers/report?domain=amazon.com')).body;
    const byParser = Object.fromEntries(items.map((item: { parser: string }) => [item.parser, item]));
    assert.deepEqual([byParser.amazon.pages, byParser.amazon.parsed, byParser.amazon.shadow], [3, 1, false]);
    assert.deepEqual(
      [byParser.shopify.pages, byParser.shopify.parsed, byParser.shopify.differs, byParser.shopify.shadow],
      [3, 2, 2, true],
    );
    assert.deepEqual(byParser.shopify.samples[0].differences, [{ field: 'price', live: '5', shadow: '6' }]);
    assert.ok(Math.abs(byParser.amazon.success_rate - 1 / 3) < 1e-9);
  });
});
