import type { z } from 'zod';
import type { App } from '../../app.ts';
import { findProductView, listPriceViews, PRICE_SORTS } from '../../db/products/product-views.ts';
import { found } from '../found.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { PriceEntry } from './product.ts';

export const ListPricesInput = ListQuery.extend(sortBy(PRICE_SORTS));

/** Price and availability of the product, newest first: one entry per change. */
export async function productHistory(
  app: App,
  id: string,
  query: z.output<typeof ListPricesInput>,
): Promise<ListPage<z.output<typeof PriceEntry>>> {
  const page = await readList(app.database, listPriceViews(id), PRICE_SORTS, query, (row) => PriceEntry.parse(row));
  if (page.items.length === 0) found(await findProductView(app.database, id), 'product', id);
  return page;
}
