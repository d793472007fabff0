import type { Sql } from '../../ports/database.ts';
import type { IndexSpace } from './index-state.ts';

export interface IndexState {
  generation: number;
  space: IndexSpace | undefined;
  unknownCollections: string[];
  /** Whether documents wait to be indexed: only then can a chunk lack its vector. */
  indexing: boolean;
  /** Whether any documents are nearly the same. */
  duplicates: boolean;
}

/**
 * What every search reads first: how fresh cached answers must be, which model's vectors answer, and whether the collections it
 * names exist. One round trip, since these are most of what is added to the engines' time.
 */
export async function readIndexState(sql: Sql, collectionIds: readonly string[]): Promise<IndexState> {
  const rows = await sql.query<{
    generation: number | null;
    space: IndexSpace | null;
    unknown: string[];
    indexing: boolean;
    duplicates: boolean;
  }>(
    `SELECT (SELECT value FROM settings WHERE key = 'index_generation') AS generation,
       (SELECT value FROM settings WHERE key = 'index_space') AS space,
       EXISTS (SELECT 1 FROM outbox WHERE stage IN ('text', 'vector')) AS indexing,
       EXISTS (SELECT 1 FROM documents WHERE duplicate_group IS NOT NULL) AS duplicates,
       ARRAY(SELECT given.id::text FROM unnest($1::uuid[]) AS given (id)
         WHERE NOT EXISTS (SELECT 1 FROM collections c WHERE c.id = given.id)) AS unknown`,
    [collectionIds],
  );
  const { generation, space, unknown, indexing, duplicates } = rows[0]!;
  return { generation: generation ?? 0, space: space ?? undefined, unknownCollections: unknown, indexing, duplicates };
}

/** Which of the chunks have no vector yet. */
export async function findWithoutVector(sql: Sql, chunkIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    'SELECT id FROM chunks WHERE id = ANY ($1::uuid[]) AND embedding_model IS NULL',
    [chunkIds],
  );
  return new Set(rows.map((row) => row.id));
}

export interface FoundChunk {
  id: string;
  document_id: string;
  chunk_index: number;
  start_char: number;
  end_char: number;
  content: string;
  token_count: number;
  heading_path: string[];
  content_type: 'prose' | 'code' | 'table' | 'list';
  url: string;
  title: string | null;
  domain: string;
  language: string | null;
  source: 'crawl' | 'upload' | 'api';
  collection_id: string | null;
  fetched_at: Date;
  content_hash: string;
}

/**
 * The chunks a search may show, as they are now. An index can lag behind; a document that is deleted or gone, has left the
 * requested collections or tags, or was fetched at another time, is not shown whatever the index says.
 */
export function loadChunks(
  sql: Sql,
  chunkIds: readonly string[],
  filter: {
    collectionIds?: readonly string[] | undefined;
    tagIds?: readonly string[] | undefined;
    fetchedFrom?: Date | undefined;
    fetchedTo?: Date | undefined;
  },
): Promise<FoundChunk[]> {
  return sql.query(
    `SELECT c.id, c.document_id, c.chunk_index, c.start_char, c.end_char, c.content, c.token_count, c.heading_path,
       c.content_type, d.url, d.title, d.domain, d.language, d.source, d.collection_id, d.fetched_at,
       encode(d.content_hash, 'hex') AS content_hash
     FROM chunks c JOIN documents d ON d.id = c.document_id
     WHERE c.id = ANY ($1::uuid[]) AND d.deleted_at IS NULL AND d.gone_at IS NULL
       AND ($2::uuid[] IS NULL OR d.collection_id = ANY ($2::uuid[]))
       AND ($3::uuid[] IS NULL OR EXISTS (
         SELECT 1 FROM document_tags t WHERE t.document_id = d.id AND t.tag_id = ANY ($3::uuid[])))
       AND ($4::timestamptz IS NULL OR d.fetched_at >= $4) AND ($5::timestamptz IS NULL OR d.fetched_at <= $5)`,
    [
      chunkIds,
      filter.collectionIds ?? null,
      filter.tagIds ?? null,
      filter.fetchedFrom ?? null,
      filter.fetchedTo ?? null,
    ],
  );
}

/** The chunks around each given one: its neighbours, or the others under the same heading (20 to each side at most). */
export function loadAround(
  sql: Sql,
  chunkIds: readonly string[],
  reach: 'neighbours' | 'section',
): Promise<{ around: string; content: string }[]> {
  return sql.query(
    `SELECT c.id AS around, n.content FROM chunks c JOIN chunks n ON n.document_id = c.document_id AND n.id <> c.id
     WHERE c.id = ANY ($1::uuid[]) AND CASE WHEN $2 = 'neighbours' THEN abs(n.chunk_index - c.chunk_index) = 1
       ELSE n.heading_path = c.heading_path AND abs(n.chunk_index - c.chunk_index) <= 20 END
     ORDER BY c.id, n.chunk_index`,
    [chunkIds, reach],
  );
}

export async function findTagIds(sql: Sql, names: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>('SELECT id FROM tags WHERE name = ANY ($1::text[])', [names]);
  return rows.map((row) => row.id);
}
