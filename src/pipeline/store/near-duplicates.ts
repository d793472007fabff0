import { findNearPages, markDuplicates, replaceBands, type StoredPage } from '../../db/pages.ts';
import type { Sql } from '../../ports/database.ts';
import { simhashBands } from '../extract/simhash.ts';
import type { PageOutcome } from '../outcome.ts';

/** Texts shorter than this say too little for their SimHash to mean anything. */
const MIN_TEXT = 200;

const bandsOf = (simhash: string) => simhashBands(simhash).map((value, index) => (index << 16) | value);

/**
 * Files new and changed pages under their SimHash and notes which earlier page of the same site each is nearly the same
 * as (at most three differing bits). Returns the outcomes that have one.
 */
export async function markNearDuplicates(
  sql: Sql,
  outcomes: readonly PageOutcome[],
  pages: ReadonlyMap<string, StoredPage>,
): Promise<Set<PageOutcome>> {
  const fresh = outcomes.flatMap((outcome) => {
    const stored = pages.get(outcome.page?.url_hash ?? '');
    const simhash = outcome.page?.simhash ?? null;
    const long = (outcome.document?.content.length ?? 0) >= MIN_TEXT;
    return stored?.changed && simhash !== null && long ? [{ outcome, stored, simhash, bands: bandsOf(simhash) }] : [];
  });
  if (fresh.length === 0) return new Set();
  const near = await findNearPages(sql, [
    ...new Map(fresh.map((each) => [each.simhash, { simhash: each.simhash, bands: each.bands }])).values(),
  ]);
  const found = new Set<PageOutcome>();
  const marks: { page_id: string; duplicate_of: string | null }[] = [];
  for (const { outcome, stored, simhash } of fresh) {
    const match = near.find(
      (page) => page.simhash === simhash && page.page_id !== stored.id && page.domain_id === outcome.task.domain_id,
    );
    if (match !== undefined) found.add(outcome);
    if (match !== undefined || stored.visits > 1)
      marks.push({ page_id: stored.id, duplicate_of: match?.page_id ?? null });
  }
  await markDuplicates(sql, marks);
  await replaceBands(
    sql,
    [...new Map(fresh.map((each) => [each.stored.id, each])).values()].map(({ stored, bands }) => ({
      page_id: stored.id,
      bands,
      old_bands: stored.old_simhash === null ? [] : bandsOf(stored.old_simhash),
    })),
  );
  return found;
}
