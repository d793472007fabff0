import { z } from 'zod';
import type { App } from '../../app.ts';
import { listProductViews, PRODUCT_SORTS } from '../../db/products/product-views.ts';
import { toDomainFilter } from '../domains/domain.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { Availability, Product } from './product.ts';

const text = (max: number) => z.string().trim().min(1).max(max).optional();
const number = () => z.coerce.number().min(0).optional();

export const ProductFilters = z.strictObject({
  domain: text(260),
  query: text(200).describe('Words of the name, brand or description.'),
  brand: text(200),
  category: text(200).describe('Any level of the category path.'),
  availability: Availability.optional(),
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  min_price: number(),
  max_price: number(),
  min_rating: z.coerce.number().min(0).max(5).optional(),
  min_confidence: z.coerce.number().min(0).max(1).optional(),
  sku: text(100),
  gtin: text(20),
  gone: z.stringbool().or(z.boolean()).default(false).describe('List those whose page is no longer there instead.'),
});

export const ListProductsInput = ListQuery.extend({ ...sortBy(PRODUCT_SORTS), ...ProductFilters.shape }).refine(
  ({ sort, currency }) => sort !== 'price' || currency !== undefined,
  {
    path: ['sort'],
    message: 'prices are comparable within one currency only: give currency too',
  },
);

export async function listProducts(app: App, input: z.output<typeof ListProductsInput>): Promise<ListPage<Product>> {
  const listing = listProductViews({
    domain: input.domain === undefined ? undefined : toDomainFilter(input.domain),
    text: input.query,
    brand: input.brand,
    category: input.category,
    availability: input.availability,
    currency: input.currency,
    minPrice: input.min_price,
    maxPrice: input.max_price,
    minRating: input.min_rating,
    minConfidence: input.min_confidence,
    sku: input.sku,
    gtin: input.gtin,
    gone: input.gone,
  });
  return readList(app.database, listing, PRODUCT_SORTS, input, (row) => Product.parse(row));
}
