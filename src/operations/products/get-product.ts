import { z } from 'zod';
import type { App } from '../../app.ts';
import { findProductView } from '../../db/products/product-views.ts';
import { found } from '../found.ts';
import { Availability, Product } from './product.ts';

export const ProductDetail = Product.extend({
  origins: z
    .record(z.string(), z.object({ source: z.string(), confidence: z.number() }))
    .describe('Where each fact came from.'),
  variants: z.array(
    z.object({
      name: z.string().optional(),
      sku: z.string().optional(),
      price: z.string().optional(),
      availability: Availability.optional(),
    }),
  ),
  images: z.array(
    z.object({
      url: z.string(),
      alt: z.string().nullable(),
      kind: z.enum(['primary', 'gallery', 'thumbnail']),
      media_type: z.string().nullable(),
      width: z.number().int().nullable(),
      height: z.number().int().nullable(),
      bytes: z.number().int().nullable(),
      error_code: z.string().nullable(),
    }),
  ),
}).meta({ id: 'ProductDetail' });

export async function getProduct(app: App, id: string): Promise<z.output<typeof ProductDetail>> {
  const { fields, ...row } = found(await findProductView(app.database, id), 'product', id);
  return ProductDetail.parse({ ...row, origins: fields.origins ?? {}, variants: fields.variants ?? [] });
}
