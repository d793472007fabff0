import type { Sql } from '../../ports/database.ts';

export interface IndexDocument {
  id: string;
  url: string;
  domain: string;
  title: string | null;
  content: string;
  language: string | null;
  source: 'crawl' | 'upload' | 'api';
  collection_id: string | null;
  chunking: Record<string, unknown>;
  version: number;
  fetched_at: Date;
  tag_ids: string[];
}

export interface ChunkRow {
  id: string;
  document_id: string;
  document_version: number;
  chunk_index: number;
  start_char: number;
  end_char: number;
  content: string;
  content_hash: string;
  token_count: number;
  heading_path: string[];
  content_type: 'prose' | 'code' | 'table' | 'list';
  embedding_model: string | null;
}

/** Documents as the index holds them; deleted and gone ones are not there. The lock orders writers of the same document. */
export function lockDocuments(sql: Sql, ids: readonly string[]): Promise<IndexDocument[]> {
  return sql.query(
    `SELECT id, url, domain, title, content, language, source, collection_id, chunking, version, fetched_at,
       (SELECT coalesce(array_agg(tag_id::text), '{}') FROM document_tags t WHERE t.document_id = d.id) AS tag_ids
     FROM documents d WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL AND gone_at IS NULL ORDER BY id FOR UPDATE OF d`,
    [ids],
  );
}

export function findChunkKeys(
  sql: Sql,
  documentIds: readonly string[],
): Promise<{ id: string; document_id: string; content_hash: string; embedding_model: string | null }[]> {
  return sql.query(
    `SELECT id, document_id, encode(content_hash, 'hex') AS content_hash, embedding_model FROM chunks
     WHERE document_id = ANY ($1::uuid[]) ORDER BY document_id, chunk_index`,
    [documentIds],
  );
}

/** Takes all chunks of the documents out, and remembers those that do not come back. */
export async function deleteDocumentChunks(
  sql: Sql,
  documentIds: readonly string[],
  keptIds: readonly string[],
): Promise<void> {
  await sql.query(
    `WITH gone AS (DELETE FROM chunks WHERE document_id = ANY ($1::uuid[]) RETURNING id, document_id)
     INSERT INTO removed_chunks (chunk_id, document_id) SELECT id, document_id FROM gone WHERE NOT id = ANY ($2::uuid[])
     ON CONFLICT DO NOTHING`,
    [documentIds, keptIds],
  );
}

export async function findRemovedChunks(sql: Sql, documentIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ chunk_id: string }>(
    'SELECT chunk_id FROM removed_chunks WHERE document_id = ANY ($1::uuid[])',
    [documentIds],
  );
  return rows.map((row) => row.chunk_id);
}

export async function forgetRemovedChunks(sql: Sql, chunkIds: readonly string[]): Promise<void> {
  await sql.query('DELETE FROM removed_chunks WHERE chunk_id = ANY ($1::uuid[])', [chunkIds]);
}

export async function insertChunks(sql: Sql, rows: readonly ChunkRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query(
    `INSERT INTO chunks (id, document_id, document_version, chunk_index, start_char, end_char, content, content_hash,
       token_count, heading_path, content_type, embedding_model)
     SELECT id, document_id, document_version, chunk_index, start_char, end_char, content, decode(content_hash, 'hex'),
       token_count, ARRAY(SELECT json_array_elements_text(heading_path)), content_type, embedding_model
     FROM json_to_recordset($1::json) AS x (id uuid, document_id uuid, document_version int, chunk_index int,
       start_char int, end_char int, content text, content_hash text, token_count int, heading_path json,
       content_type text, embedding_model text)`,
    [JSON.stringify(rows)],
  );
}

export async function markIndexed(sql: Sql, rows: readonly { id: string; version: number }[]): Promise<void> {
  await sql.query(
    `UPDATE documents d SET indexed_version = x.version, indexed_at = now()
     FROM json_to_recordset($1::json) AS x (id uuid, version int) WHERE d.id = x.id`,
    [JSON.stringify(rows)],
  );
}

export type UnembeddedChunk = Pick<
  ChunkRow,
  'id' | 'document_id' | 'content' | 'content_hash' | 'heading_path' | 'content_type'
> &
  Pick<IndexDocument, 'title' | 'domain' | 'language' | 'source' | 'collection_id' | 'fetched_at' | 'tag_ids'>;

/** Chunks of these documents that have no vector of the model yet, in order, with what the index filters by. */
export function findUnembedded(
  sql: Sql,
  documentIds: readonly string[],
  model: string,
  limit: number,
): Promise<UnembeddedChunk[]> {
  return sql.query(
    `SELECT c.id, c.document_id, c.content, encode(c.content_hash, 'hex') AS content_hash, c.heading_path, c.content_type,
       d.title, d.domain, d.language, d.source, d.collection_id, d.fetched_at,
       (SELECT coalesce(array_agg(tag_id::text), '{}') FROM document_tags t WHERE t.document_id = d.id) AS tag_ids
     FROM chunks c JOIN documents d ON d.id = c.document_id
     WHERE c.document_id = ANY ($1::uuid[]) AND c.embedding_model IS DISTINCT FROM $2 AND d.deleted_at IS NULL AND d.gone_at IS NULL
     ORDER BY array_position($1::uuid[], c.document_id), c.chunk_index LIMIT $3`,
    [documentIds, model, limit],
  );
}

/** Notes that vectors exist; returns the chunks that still do. */
export async function markEmbedded(sql: Sql, chunkIds: readonly string[], model: string): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    'UPDATE chunks SET embedding_model = $2 WHERE id = ANY ($1::uuid[]) RETURNING id',
    [chunkIds, model],
  );
  return new Set(rows.map((row) => row.id));
}

export async function findDocumentsToEmbed(
  sql: Sql,
  documentIds: readonly string[],
  model: string,
): Promise<Set<string>> {
  const rows = await sql.query<{ document_id: string }>(
    `SELECT DISTINCT c.document_id FROM chunks c JOIN documents d ON d.id = c.document_id
     WHERE c.document_id = ANY ($1::uuid[]) AND c.embedding_model IS DISTINCT FROM $2 AND d.deleted_at IS NULL AND d.gone_at IS NULL`,
    [documentIds, model],
  );
  return new Set(rows.map((row) => row.document_id));
}

/** When these documents were fetched, as far as they can be found. */
export function findFetchTimes(sql: Sql, ids: readonly string[]): Promise<{ id: string; fetched_at: Date }[]> {
  return sql.query(
    'SELECT id, fetched_at FROM documents WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL AND gone_at IS NULL',
    [ids],
  );
}

/** Vectors of these chunks are gone: they are to be made again. */
export async function unmarkEmbedded(sql: Sql, chunkIds: readonly string[]): Promise<void> {
  await sql.query('UPDATE chunks SET embedding_model = NULL WHERE id = ANY ($1::uuid[])', [chunkIds]);
}

/** How many chunks there are, and how many of them have no vector of this model. */
export async function countChunks(sql: Sql, model: string): Promise<{ chunks: number; unembedded: number }> {
  const rows = await sql.query<{ chunks: number; unembedded: number }>(
    `SELECT count(*) AS chunks, count(*) FILTER (WHERE embedding_model IS DISTINCT FROM $1) AS unembedded FROM chunks`,
    [model],
  );
  return rows[0]!;
}

/** Every chunk that an index should hold, in id order, page by page. */
export function listChunkKeys(
  sql: Sql,
  afterId: string | undefined,
  limit: number,
): Promise<{ id: string; document_id: string; embedding_model: string | null }[]> {
  return sql.query(
    `SELECT c.id, c.document_id, c.embedding_model FROM chunks c JOIN documents d ON d.id = c.document_id
     WHERE d.deleted_at IS NULL AND d.gone_at IS NULL AND ($1::uuid IS NULL OR c.id > $1) ORDER BY c.id LIMIT $2`,
    [afterId ?? null, limit],
  );
}

/** Of these chunks those that are still there: whether their document is, and whether its text is to be indexed again. */
export async function findChunkStates(
  sql: Sql,
  chunkIds: readonly string[],
): Promise<Map<string, { live: boolean; waiting: boolean }>> {
  const rows = await sql.query<{ id: string; live: boolean; waiting: boolean }>(
    `SELECT c.id, d.deleted_at IS NULL AND d.gone_at IS NULL AS live,
       EXISTS (SELECT 1 FROM outbox o WHERE o.document_id = d.id AND o.stage = 'text') AS waiting
     FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.id = ANY ($1::uuid[])`,
    [chunkIds],
  );
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

/** Forgets the vectors of documents, so that the next pass makes them again. */
export async function forgetVectors(
  sql: Sql,
  scope: { documentIds?: readonly string[]; collectionId?: string },
): Promise<void> {
  await sql.query(
    `UPDATE chunks c SET embedding_model = NULL FROM documents d
     WHERE d.id = c.document_id AND ($1::uuid[] IS NULL OR d.id = ANY ($1::uuid[]))
       AND ($2::uuid IS NULL OR d.collection_id = $2)`,
    [scope.documentIds ?? null, scope.collectionId ?? null],
  );
}
