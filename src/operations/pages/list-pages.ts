import { z } from 'zod';
import type { App } from '../../app.ts';
import { listPagesByAge, listPagesByVisit } from '../../db/pages/page-views.ts';
import { toDomainName } from '../domains/domain.ts';
import { decodeCursor, decodeIdCursor, type ListPage, ListQuery, TimeKey, toListPage } from '../paging.ts';
import { PageStatus, type PageSummary } from './page.ts';

export const ListPagesInput = ListQuery.extend({
  domain: z.string().trim().min(1).max(260).optional(),
  status: PageStatus.optional(),
  query: z.string().trim().toLowerCase().min(1).max(200).optional().describe('Part of the address or title.'),
  sort: z
    .enum(['discovered', 'visited'])
    .default('discovered')
    .describe('Newest known first, or latest visited first.'),
});

export async function listPages(app: App, input: z.output<typeof ListPagesInput>): Promise<ListPage<PageSummary>> {
  const domain = input.domain === undefined ? undefined : toDomainName(input.domain);
  const filter = { limit: input.limit + 1, domain, status: input.status, query: input.query };
  if (input.sort === 'discovered') {
    const rows = await listPagesByAge(app.database, filter, decodeIdCursor(input.cursor));
    return toListPage(
      rows,
      input.limit,
      (row) => [row.id],
      (row) => row,
    );
  }
  const before = decodeCursor(input.cursor, z.tuple([TimeKey, z.uuid()]));
  const rows = await listPagesByVisit(app.database, filter, before);
  return toListPage(
    rows,
    input.limit,
    (row) => [row.visited, row.id],
    (row) => row,
  );
}
