import { z } from 'zod';
import type { App } from '../../app.ts';
import { findPageView } from '../../db/pages/page-views.ts';
import { found } from '../found.ts';
import { Id } from '../schemas.ts';
import { PageSummary } from './page.ts';

export const PageDetail = PageSummary.extend({
  document_id: Id.nullable(),
  product_id: Id.nullable(),
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  links: z.array(z.object({ url: z.string(), text: z.string(), rel: z.string() })),
}).meta({ id: 'PageDetail' });

export async function getPage(app: App, id: string): Promise<z.output<typeof PageDetail>> {
  const row = found(await findPageView(app.database, id), 'page', id);
  const links = (row.link_urls ?? []).map((url, at) => ({
    url,
    text: row.link_anchors?.[at] ?? '',
    rel: row.link_rels?.[at] ?? '',
  }));
  return { ...row, links };
}
