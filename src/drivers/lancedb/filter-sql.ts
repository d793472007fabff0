import type { IndexFields, IndexFilter } from '../../ports/index-filter.ts';

const quote = (value: string) => `'${value.replaceAll("'", "''")}'`;
const list = (values: readonly string[]) => values.map(quote).join(', ');

/** An empty list matches nothing, as any other list does that names no stored value. */
const anyOf = (column: string, values: readonly string[]) =>
  values.length === 0 ? 'false' : `${column} IN (${list(values)})`;

export const chunkIn = (chunkIds: readonly string[]) => anyOf('chunk_id', chunkIds);
export const documentIn = (documentIds: readonly string[]) => anyOf('document_id', documentIds);

/** The filter as a predicate of LanceDB's SQL, or undefined when it narrows nothing. */
export function filterSql(filter: IndexFilter | undefined): string | undefined {
  if (filter === undefined) return undefined;
  const parts: string[] = [];
  const fields = [
    ['document_id', filter.documentIds],
    ['collection_id', filter.collectionIds],
    ['domain', filter.domains],
    ['source', filter.sources],
    ['content_type', filter.contentTypes],
    ['language', filter.languages],
  ] as const;
  for (const [column, values] of fields) if (values !== undefined) parts.push(anyOf(column, values));
  if (filter.tags !== undefined)
    parts.push(filter.tags.length === 0 ? 'false' : `array_has_any(tags, [${list(filter.tags)}])`);
  if (filter.fetchedFrom !== undefined) parts.push(`fetched_at >= ${Number(filter.fetchedFrom)}`);
  if (filter.fetchedTo !== undefined) parts.push(`fetched_at <= ${Number(filter.fetchedTo)}`);
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

export const timeSql = (fetchedAt: number) => ({ fetched_at: `CAST(${Number(fetchedAt)} AS DOUBLE)` });

/** The filter fields of a document as SQL values, by column. */
export function fieldsSql(fields: Omit<IndexFields, 'documentId' | 'contentType'>): Record<string, string> {
  const nullable = (value: string | null) => (value === null ? 'NULL' : quote(value));
  return {
    collection_id: nullable(fields.collectionId),
    domain: quote(fields.domain),
    tags: `arrow_cast(make_array(${list(fields.tags)}), 'List(Utf8)')`,
    source: quote(fields.source),
    language: nullable(fields.language),
    ...timeSql(fields.fetchedAt),
  };
}
