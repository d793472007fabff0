import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst, type Sorts } from '../listing.ts';
import type { GoneReason } from './gone-documents.ts';

export interface DocumentView {
  id: string;
  url: string;
  domain: string;
  title: string | null;
  language: string | null;
  content_type: string;
  kind: string | null;
  source: 'crawl' | 'upload' | 'api';
  collection_id: string | null;
  source_id: string | null;
  parent_url: string | null;
  content_hash: string;
  content_length: number;
  metadata: Record<string, unknown>;
  version: number;
  fetched_at: Date;
  crawled_at: Date;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  gone_at: Date | null;
  gone_reason: GoneReason | null;
  indexed_at: Date | null;
  indexed: boolean;
  tags: { id: string; name: string }[];
}

const COLUMNS = `d.id, d.url, d.domain, d.title, d.language, d.content_type, d.kind, d.source, d.collection_id, d.source_id, d.parent_url,
  encode(d.content_hash, 'hex') AS content_hash, length(d.content) AS content_length, d.metadata, d.version, d.fetched_at,
  d.fetched_at AS crawled_at, d.created_at, d.updated_at, d.deleted_at, d.gone_at, d.gone_reason, d.indexed_at,
  d.indexed_version = d.version AND d.deleted_at IS NULL AND d.gone_at IS NULL AS indexed,
  (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.name), '[]')
   FROM document_tags dt JOIN tags t ON t.id = dt.tag_id WHERE dt.document_id = d.id) AS tags`;

export interface DocumentFilter {
  domain: string | undefined;
  collectionId: string | undefined;
  /** Only of these collections. */
  within?: readonly string[] | undefined;
  tagId: string | undefined;
  source: string | undefined;
  language: string | undefined;
  text: string | undefined;
  deleted: boolean;
  gone: boolean;
}

export const DOCUMENT_SORTS = {
  created: newestFirst('d.id'),
  updated: {
    keys: [
      { sql: 'd.updated_at', type: 'timestamptz' },
      { sql: 'd.id', type: 'uuid' },
    ],
    order: 'desc',
  },
} satisfies Sorts;

/** Deleted or gone ones only when requested. */
export const listDocumentViews = (filter: DocumentFilter): Listing<DocumentView> => ({
  columns: COLUMNS,
  from: 'documents d',
  filters: [
    ['d.domain = ?', filter.domain],
    ['d.collection_id = ?', filter.collectionId],
    ['d.collection_id = ANY (?::uuid[])', filter.within],
    ['d.source = ?', filter.source],
    ['d.language = ?', filter.language],
    ['strpos(lower(d.url), ?) > 0 OR strpos(lower(d.title), ?) > 0', filter.text],
    ['EXISTS (SELECT 1 FROM document_tags t WHERE t.document_id = d.id AND t.tag_id = ?)', filter.tagId],
    [filter.deleted ? 'd.deleted_at IS NOT NULL' : 'd.deleted_at IS NULL'],
    [filter.deleted ? 'true' : filter.gone ? 'd.gone_at IS NOT NULL' : 'd.gone_at IS NULL'],
  ],
});

export async function findDocumentView(
  sql: Sql,
  id: string,
): Promise<(DocumentView & { content: string; chunks: number }) | undefined> {
  const rows = await sql.query<DocumentView & { content: string; chunks: number }>(
    `SELECT ${COLUMNS}, d.content, (SELECT count(*) FROM chunks c WHERE c.document_id = d.id) AS chunks
     FROM documents d WHERE d.id = $1`,
    [id],
  );
  return rows[0];
}

/** The collection a document is in, null for none; undefined: there is no such document. */
export async function findDocumentCollection(sql: Sql, id: string): Promise<string | null | undefined> {
  const [row] = await sql.query<{ collection_id: string | null }>('SELECT collection_id FROM documents WHERE id = $1', [
    id,
  ]);
  return row?.collection_id;
}

/** By the hash of their address: the collection of each document there is, null for none. */
export async function findDocumentCollections(
  sql: Sql,
  urlHashes: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await sql.query<{ hash: string; collection_id: string | null }>(
    `SELECT encode(d.url_hash, 'hex') AS hash, d.collection_id
     FROM unnest($1::text[]) AS x (hash) JOIN documents d ON d.url_hash = decode(x.hash, 'hex')`,
    [urlHashes],
  );
  return new Map(rows.map(({ hash, collection_id }) => [hash, collection_id]));
}

interface KnownDocument {
  id: string;
  version: number;
  deleted: boolean;
  collection_id: string | null;
}

export async function findDocumentByHash(sql: Sql, urlHash: string): Promise<KnownDocument | undefined> {
  const rows = await sql.query<KnownDocument>(
    `SELECT id, version, deleted_at IS NOT NULL AS deleted, collection_id FROM documents WHERE url_hash = decode($1, 'hex')`,
    [urlHash],
  );
  return rows[0];
}

export interface ChunkView {
  id: string;
  document_id: string;
  chunk_index: number;
  start_char: number;
  end_char: number;
  content: string;
  token_count: number;
  heading_path: string[];
  section_header: string | null;
  content_type: 'prose' | 'code' | 'table' | 'list';
  embedding_model: string | null;
}

export const CHUNK_SORTS = { position: { keys: [{ sql: 'chunk_index', type: 'int' }], order: 'asc' } } satisfies Sorts;

export const listChunkViews = (documentId: string): Listing<ChunkView> => ({
  columns: `id, document_id, chunk_index, start_char, end_char, content, token_count, heading_path,
    heading_path[cardinality(heading_path)] AS section_header, content_type, embedding_model`,
  from: 'chunks',
  filters: [['document_id = ?', documentId]],
});
