import type { App } from '../../app.ts';
import { findStoredImage, type StoredImageRow } from '../../db/products/product-image-views.ts';
import { AppError } from '../../errors.ts';
import { found } from '../found.ts';
import { type OpenRange, openRange } from '../media/open-blob.ts';

/** Types that hold pixels and nothing else: no scripts, no references. Anything else leaves as unnamed bytes. */
const SHOWN: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
};

export interface ProductImageFile extends OpenRange {
  name: string;
  contentType: string;
  shown: boolean;
}

/** The stored bytes of an image. Its type is what the bytes said when they were stored, never what the site claimed. */
export async function openProductImage(
  app: App,
  productId: string,
  imageId: string,
  rangeHeader: string | undefined,
): Promise<ProductImageFile> {
  const row = found(await findStoredImage(app.database, productId, imageId), 'image', imageId);
  const opened = row.blob_ref === null ? undefined : await openRange(app, row.blob_ref, rangeHeader);
  if (opened === undefined)
    throw new AppError('NOT_FOUND', 'the bytes of this image are not stored', {
      hint: 'Set PRODUCTS__IMAGES=true to fetch images; error_code in the list says why one was not.',
    });
  return { ...opened, ...imageFile(row) };
}

/** What an image is served as. */
export function imageFile({ id, media_type }: Pick<StoredImageRow, 'id' | 'media_type'>) {
  const ending = SHOWN[media_type ?? ''];
  return {
    name: `${id}.${ending ?? 'bin'}`,
    contentType: ending === undefined ? 'application/octet-stream' : media_type!,
    shown: ending !== undefined,
  };
}
