import type { App } from '../app.ts';
import { lockReader, moveReader } from '../db/events/event-readers.ts';
import { countPages, currentMinute } from '../db/stats/page-figures.ts';
import { addFigures } from '../db/stats/stats.ts';
import { consumeEvents } from '../operations/events/consume-events.ts';
import { COUNTED_KINDS, toFigures } from '../operations/stats/event-figures.ts';

/** Batches of one run: a log that grew for hours is read over several runs. */
const MAX_BATCHES = 20;
const MAX_MINUTES = 60;
/** Domains that get figures of their own in a minute. */
const TOP_DOMAINS = 20;

/** Adds what happened to the figures over time, each event exactly once. Returns how many events were read. */
export async function rollUpStats({ database }: Pick<App, 'database'>): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const read = await consumeEvents(database, 'stats', COUNTED_KINDS, (tx, events) =>
      addFigures(tx, events.flatMap(toFigures)),
    );
    total += read;
    if (read === 0) break;
  }
  return total;
}

/**
 * Adds the figures of pages, minute by minute, each minute once. The last whole minute waits for one more: what commits late
 * belongs to it too. Returns how many minutes were counted.
 */
export function rollUpPages({ database }: Pick<App, 'database'>): Promise<number> {
  return database.transaction(async (tx) => {
    const from = await lockReader(tx, 'stats.pages');
    if (from === undefined) return 0;
    const to = Math.min((await currentMinute(tx)) - 1, from + MAX_MINUTES);
    if (to <= from) return 0;
    await addFigures(tx, await countPages(tx, from, to, TOP_DOMAINS));
    await moveReader(tx, 'stats.pages', to);
    return to - from;
  });
}
