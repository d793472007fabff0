import { z } from 'zod';
import type { App } from '../../app.ts';
import { listDomainFigures as listRows } from '../../db/admin/overview.ts';
import { decodeCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';

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

/** The busiest domains first. */
export async function listDomainFigures(
  app: App,
  input: z.output<typeof ListQuery>,
): Promise<ListPage<z.output<typeof DomainFigures>>> {
  const after = decodeCursor(input.cursor, z.tuple([z.int(), z.string()]));
  const rows = await listRows(app.database, input.limit + 1, after);
  return toListPage(
    rows,
    input.limit,
    (row) => [row.pages_fetched, row.domain],
    (row) => row,
  );
}
