import { z } from 'zod';
import type { App } from '../../app.ts';
import { IMAGE_SORTS, listStoredImages, type StoredImageRow } from '../../db/products/product-image-views.ts';
import { findProductView } from '../../db/products/product-views.ts';
import { found } from '../found.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { Id, Time } from '../schemas.ts';
import { imageFile } from './open-product-image.ts';

export const ProductImage = z
  .object({
    id: Id,
    url: z.string().describe('Where the page had it from.'),
    alt: z.string().nullable(),
    position: z.number().int(),
    kind: z.enum(['primary', 'gallery', 'thumbnail']),
    media_type: z.string().nullable().describe('What its bytes are; null until it is fetched.'),
    width: z.number().int().nullable(),
    height: z.number().int().nullable(),
    bytes: z.number().int().nullable(),
    error_code: z.string().nullable().describe('DUPLICATE_CONTENT: the same bytes as another image of the product.'),
    fetched_at: Time.nullable(),
    link: z
      .string()
      .nullable()
      .describe('A signed link to its bytes, good for MEDIA__LINK_S; null: they are not stored.'),
  })
  .meta({ id: 'ProductImage' });
type ProductImage = z.output<typeof ProductImage>;

export const ListProductImagesInput = ListQuery.extend(sortBy(IMAGE_SORTS));

export async function listProductImages(
  app: App,
  productId: string,
  input: z.output<typeof ListProductImagesInput>,
): Promise<ListPage<ProductImage>> {
  const page = await readList(app.database, listStoredImages(productId), IMAGE_SORTS, input, (row) => row);
  if (page.items.length === 0) found(await findProductView(app.database, productId), 'product', productId);
  return { ...page, items: await Promise.all(page.items.map((row) => toImage(app, row))) };
}

async function toImage({ blobs, settings }: App, { blob_ref, ...row }: StoredImageRow): Promise<ProductImage> {
  const { name, contentType } = imageFile(row);
  const link = blob_ref === null ? null : blobs.link({ reference: blob_ref, name, contentType }, settings.media.linkS);
  return { ...row, link: await link };
}
