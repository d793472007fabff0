import { z } from 'zod';
import type { App } from '../../app.ts';
import { listPageViews, PAGE_SORTS } from '../../db/pages/page-views.ts';
import { toDomainName } from '../domains/domain.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { PageStatus, type PageSummary } from './page.ts';

export const ListPagesInput = ListQuery.extend({
  ...sortBy(PAGE_SORTS),
  domain: z.string().trim().min(1).max(260).optional(),
  status: PageStatus.optional(),
  query: z.string().trim().toLowerCase().min(1).max(200).optional().describe('Part of the address or title.'),
});

export async function listPages(app: App, input: z.output<typeof ListPagesInput>): Promise<ListPage<PageSummary>> {
  const domain = input.domain === undefined ? undefined : toDomainName(input.domain);
  const listing = listPageViews({ domain, status: input.status, query: input.query });
  return readList(app.database, listing, PAGE_SORTS, input, (row) => row);
}
