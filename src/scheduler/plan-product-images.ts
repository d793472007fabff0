import type { App } from '../app.ts';
import { insertJob } from '../db/jobs/jobs.ts';
import { listWaitingImages } from '../db/products/product-images.ts';
import { newId } from '../ids.ts';

/** Plans the fetching of product images when it is enabled and some wait. */
export async function planProductImages(app: App): Promise<void> {
  if (!app.settings.products.images) return;
  const waiting = await listWaitingImages(app.database, 1, undefined);
  if (waiting.length > 0)
    await insertJob(app.database, { id: newId(), kind: 'product-images', payload: {}, unique_key: 'all' });
}
