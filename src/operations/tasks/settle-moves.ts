import { applyMoves, type Moved } from '../../db/tasks/control-tasks.ts';
import type { Sql } from '../../ports/database.ts';

const COUNTER: Record<string, 'crawled' | 'failed' | 'skipped' | 'cancelled' | undefined> = {
  completed: 'crawled',
  failed: 'failed',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

/** Moves the counters of crawls along with tasks that went to another status; returns how many tasks moved. */
export async function settleMoves(sql: Sql, moved: readonly Moved[], to: string): Promise<number> {
  const byCrawl = new Map<
    string,
    { crawl_id: string; crawled: number; failed: number; skipped: number; cancelled: number }
  >();
  let total = 0;
  for (const { crawl_id, from_status, moved: count } of moved) {
    const delta = byCrawl.get(crawl_id) ?? { crawl_id, crawled: 0, failed: 0, skipped: 0, cancelled: 0 };
    byCrawl.set(crawl_id, delta);
    const left = COUNTER[from_status];
    const entered = COUNTER[to];
    if (left !== undefined) delta[left] -= count;
    if (entered !== undefined) delta[entered] += count;
    total += count;
  }
  await applyMoves(sql, [...byCrawl.values()]);
  return total;
}
