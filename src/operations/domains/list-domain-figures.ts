import { z } from 'zod';
import type { App } from '../../app.ts';
import { FIGURE_SORTS, listDomainFigures as listFigures } from '../../db/admin/overview.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';

export const DomainFigures = z
  .object({
    domain: z.string(),
    pages_fetched: z.number().int(),
    pages_failed: z.number().int(),
    latency_ms: z.number().nullable(),
    circuit_state: z.enum(['closed', 'open', 'half_open']),
    is_blocked: z.boolean(),
  })
  .meta({ id: 'DomainFigures' });

export const ListFiguresInput = ListQuery.extend(sortBy(FIGURE_SORTS));

/** The busiest domains first. */
export async function listDomainFigures(
  app: App,
  input: z.output<typeof ListFiguresInput>,
): Promise<ListPage<z.output<typeof DomainFigures>>> {
  return readList(app.database, listFigures(), FIGURE_SORTS, input, (row) => row);
}
