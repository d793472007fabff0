import type { IndexFields, IndexFilter } from '../../ports/index-filter.ts';

/** Whether a row passes; the meaning is the one every engine gives the filter. */
export function matchesFilter(row: IndexFields, filter: IndexFilter | undefined): boolean {
  if (filter === undefined) return true;
  const has = (values: readonly string[] | undefined, value: string | null) =>
    values === undefined || (value !== null && values.includes(value));
  return (
    has(filter.documentIds, row.documentId) &&
    has(filter.collectionIds, row.collectionId) &&
    has(filter.domains, row.domain) &&
    has(filter.sources, row.source) &&
    has(filter.contentTypes, row.contentType) &&
    has(filter.languages, row.language) &&
    (filter.tags === undefined || row.tags.some((tag) => filter.tags!.includes(tag))) &&
    (filter.fetchedFrom === undefined || row.fetchedAt >= filter.fetchedFrom) &&
    (filter.fetchedTo === undefined || row.fetchedAt <= filter.fetchedTo)
  );
}
