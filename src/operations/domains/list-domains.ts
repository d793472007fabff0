import { z } from 'zod';
import type { App } from '../../app.ts';
import { DOMAIN_SORTS, listDomainRows } from '../../db/domains/domain-policy.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { type Domain, toDomain } from './domain.ts';

export const ListDomainsInput = ListQuery.extend({
  ...sortBy(DOMAIN_SORTS),
  blocked: z.stringbool().optional().describe('Only the blocked ones, or only the others.'),
  query: z.string().trim().toLowerCase().min(1).max(253).optional().describe('Part of the name.'),
});

export async function listDomains(app: App, input: z.output<typeof ListDomainsInput>): Promise<ListPage<Domain>> {
  const listing = listDomainRows({ blocked: input.blocked, query: input.query });
  return readList(app.database, listing, DOMAIN_SORTS, input, toDomain);
}
