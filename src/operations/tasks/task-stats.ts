import { z } from 'zod';
import type { App } from '../../app.ts';
import { countTasks } from '../../db/tasks/tasks.ts';
import { Id } from '../schemas.ts';

export const TaskStatsInput = z.strictObject({ crawl_id: Id.optional() });
export const TaskStats = z.object({
  total: z.number().int(),
  by_status: z.record(z.string(), z.number().int()),
  by_code: z.record(z.string(), z.number().int()).describe('Why tasks failed or were skipped.'),
});

export async function taskStats(app: App, input: z.output<typeof TaskStatsInput>): Promise<z.output<typeof TaskStats>> {
  const rows = await countTasks(app.database, input.crawl_id);
  const stats: z.output<typeof TaskStats> = { total: 0, by_status: {}, by_code: {} };
  for (const { status, code, tasks } of rows) {
    stats.total += tasks;
    stats.by_status[status] = (stats.by_status[status] ?? 0) + tasks;
    if (code !== null) stats.by_code[code] = (stats.by_code[code] ?? 0) + tasks;
  }
  return stats;
}
