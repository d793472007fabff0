import { findNearPages, replaceBands, type StoredPage } from '../../db/pages/pages.ts';
import type { Sql } from '../../ports/database.ts';
import { hammingDistance, simhashBands } from '../extract/simhash.ts';
import type { PageOutcome } from '../outcome.ts';

/** Texts shorter than this say too little for their SimHash to mean anything. */
const MIN_TEXT = 200;
/** Bits in which the SimHashes of near-duplicates may differ. */
const MAX_DISTANCE = 3;
/** Entries of a band that are looked at: where more pages are alike, any of them will do. */
const MAX_BAND = 16;

const bandsOf = (simhash: string) => simhashBands(simhash).map((value, index) => (index << 16) | value);

/** An earlier page that is nearly the same, and the group both belong to. */
export interface Near {
  pageId: string;
  group: string;
}

interface Row {
  url_hash: string;
  page_id: string;
  simhash: string;
  bands: number[];
}

/** Which earlier page, stored or of the same batch, each page is nearly the same as; by address hash. */
export async function findNearDuplicates(
  sql: Sql,
  outcomes: readonly PageOutcome[],
  pageIds: ReadonlyMap<string, string>,
): Promise<Map<string, Near>> {
  const rows = outcomes.flatMap(({ page, document }): Row[] => {
    if (!page?.simhash || (document?.content.length ?? 0) < MIN_TEXT) return [];
    const { url_hash, simhash } = page;
    return [{ url_hash, page_id: pageIds.get(url_hash)!, simhash, bands: bandsOf(simhash) }];
  });
  if (rows.length === 0) return new Map();
  const found = await findNearPages(sql, rows);
  const near = new Map(found.map((row) => [row.url_hash, { pageId: row.near_id, group: row.near_group }]));
  compareWithin(rows, near);
  return near;
}

/** Pages of one moment are stored together, and so are the variants of a page. Through the bands: no page is compared with all. */
function compareWithin(rows: readonly Row[], near: Map<string, Near>): void {
  const earlier = new Map<number, Row[]>();
  for (const row of rows) {
    const alike = near.has(row.url_hash)
      ? undefined
      : row.bands
          .flatMap((band) => earlier.get(band) ?? [])
          .find(
            ({ page_id, simhash }) => page_id !== row.page_id && hammingDistance(simhash, row.simhash) <= MAX_DISTANCE,
          );
    if (alike !== undefined)
      near.set(row.url_hash, { pageId: alike.page_id, group: near.get(alike.url_hash)?.group ?? alike.page_id });
    for (const band of row.bands) {
      const list = earlier.get(band) ?? [];
      earlier.set(band, list);
      if (list.length < MAX_BAND) list.push(row);
    }
  }
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
