import type { App } from '../../app.ts';
import { settleMoves } from '../../db/crawls/settle-crawls.ts';
import { appendEvents } from '../../db/events/append-events.ts';
import { beginRun, lockSource } from '../../db/sources/source-runs.ts';
import type { SourceRow } from '../../db/sources/sources.ts';
import { cancelPlannedVisits } from '../../db/tasks/control-tasks.ts';
import { AppError } from '../../errors.ts';
import type { Crawl } from '../crawls/crawl.ts';
import { planCrawl } from '../crawls/start-crawl.ts';
import { found } from '../found.ts';

interface Run {
  createdBy: string | undefined;
  /** The person it counts for, where createdBy does not lead there. */
  userId?: string | null;
  /** A scheduled run: the time it was due, and the next time after it. */
  schedule?: { due: Date; next: Date | null };
}

/**
 * One crawl of a source. The crawl and the move of the schedule commit together, so a run is started once however many
 * schedulers see it come due; a source whose last crawl goes on rejects with STATE_CONFLICT.
 */
export function startSource(app: App, source: SourceRow, { createdBy, userId, schedule }: Run): Promise<Crawl> {
  return planCrawl(app, {
    kind: 'source',
    urls: [source.url],
    source_id: source.id,
    config_id: source.crawl_config_id ?? undefined,
    collection_id: source.collection_id ?? undefined,
    options: source.options,
    headers: source.headers,
    created_by: createdBy,
    user_id: userId,
    before: async (tx, crawlId) => {
      const state = found(await lockSource(tx, source.id), 'source', source.id);
      if (schedule !== undefined && state.next_run_at?.getTime() !== schedule.due.getTime())
        throw new AppError('STATE_CONFLICT', 'this run was started already');
      if (state.open_crawl_id !== undefined)
        throw new AppError('STATE_CONFLICT', 'the last crawl of this source still goes on', {
          details: { crawl_id: state.open_crawl_id },
          hint: 'Wait for it, or cancel it with POST /api/v1/crawl/{id}/cancel.',
        });
      await settleMoves(tx, await cancelPlannedVisits(tx, source.id));
      await beginRun(tx, source.id, schedule === undefined ? undefined : schedule.next);
      const data = { source_id: source.id, crawl_id: crawlId, scheduled: schedule !== undefined, error: null };
      await appendEvents(tx, [{ kind: 'source.run', subject: source.id, data }]);
    },
  });
}
