import { findDocumentCollections } from '../../db/documents/document-views.ts';
import type { Sql } from '../../ports/database.ts';
import type { PageOutcome } from '../outcome.ts';

/**
 * There is one document an address. A crawl that a bound key started leaves those of other collections as they are: without this it
 * could move them into its own, replace them, or take them out of search. Costs nothing where no such crawl is in the batch.
 */
export async function leaveForeign(sql: Sql, outcomes: readonly PageOutcome[]): Promise<readonly PageOutcome[]> {
  const hashes = outcomes.filter(({ crawl }) => crawl.row.is_bound).flatMap(hashesOf);
  if (hashes.length === 0) return outcomes;
  const collections = await findDocumentCollections(sql, hashes);
  return outcomes.map((outcome) => {
    const { row } = outcome.crawl;
    const isForeign = (hash: string) => collections.has(hash) && collections.get(hash) !== row.collection_id;
    if (!row.is_bound || !hashesOf(outcome).some(isForeign)) return outcome;
    const { document, unchanged, gone, ...rest } = outcome;
    return {
      ...rest,
      ...(document !== undefined && !isForeign(document.url_hash) && { document }),
      ...(unchanged !== undefined && !isForeign(unchanged) && { unchanged }),
      ...(gone !== undefined && { gone: gone.filter(({ url_hash }) => !isForeign(url_hash)) }),
    };
  });
}

const hashesOf = ({ document, unchanged, gone = [] }: PageOutcome): string[] => [
  ...(document === undefined ? [] : [document.url_hash]),
  ...(unchanged === undefined ? [] : [unchanged]),
  ...gone.map(({ url_hash }) => url_hash),
];
