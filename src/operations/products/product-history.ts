import { z } from 'zod';
import type { App } from '../../app.ts';
import { findProductView, listPriceViews } from '../../db/products/product-views.ts';
import { found } from '../found.ts';
import { decodeCursor, type ListPage, type ListQuery, TimeKey, toListPage } from '../paging.ts';
import { PriceEntry } from './product.ts';

/** Price and availability of the product, newest first: one entry per change. */
export async function productHistory(
  app: App,
  id: string,
  query: z.output<typeof ListQuery>,
): Promise<ListPage<z.output<typeof PriceEntry>>> {
  const [before] = decodeCursor(query.cursor, z.tuple([TimeKey])) ?? [];
  found(await findProductView(app.database, id), 'product', id);
  const rows = await listPriceViews(app.database, id, query.limit + 1, before);
  return toListPage(
    rows,
    query.limit,
    (row) => [row.mark],
    (row) => PriceEntry.parse(row),
  );
}
