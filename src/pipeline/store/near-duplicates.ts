import { findNearPages, replaceBands, type StoredPage } from '../../db/pages/pages.ts';
import type { Sql } from '../../ports/database.ts';
import { simhashBands } from '../extract/simhash.ts';
import type { PageOutcome } from '../outcome.ts';

/** Texts shorter than this say too little for their SimHash to mean anything. */
const MIN_TEXT = 200;

const bandsOf = (simhash: string) => simhashBands(simhash).map((value, index) => (index << 16) | value);

/** Which earlier page each page of the batch is nearly the same as (three differing bits at most), by address hash. */
export async function findNearDuplicates(sql: Sql, outcomes: readonly PageOutcome[]): Promise<Map<string, string>> {
  const rows = outcomes.flatMap(({ task, page, document }) =>
    page?.simhash && (document?.content.length ?? 0) >= MIN_TEXT
      ? [{ url_hash: page.url_hash, page_id: task.page_id, simhash: page.simhash, bands: bandsOf(page.simhash) }]
      : [],
  );
  if (rows.length === 0) return new Map();
  return new Map((await findNearPages(sql, rows)).map((row) => [row.url_hash, row.near_id]));
}

/** Files new and changed pages under their SimHash. */
export async function fileSimhashes(
  sql: Sql,
  outcomes: readonly PageOutcome[],
  pages: ReadonlyMap<string, StoredPage>,
): Promise<void> {
  const rows = new Map(
    outcomes.flatMap(({ page, document }) => {
      const stored = pages.get(page?.url_hash ?? '');
      if (!stored?.changed || !page?.simhash || (document?.content.length ?? 0) < MIN_TEXT) return [];
      const old_bands = stored.old_simhash === null ? [] : bandsOf(stored.old_simhash);
      return [
        [stored.id, { page_id: stored.id, simhash: page.simhash, bands: bandsOf(page.simhash), old_bands }] as const,
      ];
    }),
  );
  await replaceBands(sql, [...rows.values()]);
}
