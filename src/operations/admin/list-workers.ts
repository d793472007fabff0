import { z } from 'zod';
import type { App } from '../../app.ts';
import { listWorkerRows } from '../../db/admin/workers.ts';
import type { ListPage } from '../paging.ts';
import { Json, Time } from '../schemas.ts';

/** One process of ours, as it last reported. */
export const WorkerInfo = z
  .object({
    id: z.string(),
    role: z.string(),
    host: z.string(),
    pid: z.number().int(),
    version: z.string(),
    state: Json,
    started_at: Time,
    seen_at: Time,
    is_alive: z.boolean(),
  })
  .meta({ id: 'Worker' });

export async function listWorkers(app: App): Promise<ListPage<z.output<typeof WorkerInfo>>> {
  const items = await listWorkerRows(app.database);
  return { items, next_cursor: null, has_more: false, total: items.length };
}
