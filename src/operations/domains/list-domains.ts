import { z } from 'zod';
import type { App } from '../../app.ts';
import { listDomainRows } from '../../db/domains/domain-policy.ts';
import { decodeCursor, type ListPage, ListQuery, toListPage } from '../paging.ts';
import { type Domain, toDomain } from './domain.ts';

export const ListDomainsInput = ListQuery.extend({
  blocked: z.stringbool().optional().describe('Only the blocked ones, or only the others.'),
  query: z.string().trim().toLowerCase().min(1).max(253).optional().describe('Part of the name.'),
});

export async function listDomains(app: App, input: z.output<typeof ListDomainsInput>): Promise<ListPage<Domain>> {
  const [after] = decodeCursor(input.cursor, z.tuple([z.string()])) ?? [];
  const rows = await listDomainRows(app.database, {
    limit: input.limit + 1,
    after,
    blocked: input.blocked,
    query: input.query,
  });
  return toListPage(rows, input.limit, (row) => [row.domain], toDomain);
}
