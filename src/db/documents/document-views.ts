import type { Sql } from '../../ports/database.ts';
import { before } from '../before-id.ts';
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
  d.created_at, d.updated_at, d.deleted_at, d.gone_at, d.gone_reason, d.indexed_at,
  d.indexed_version = d.version AND d.deleted_at IS NULL AND d.gone_at IS NULL AS indexed,
  (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.name), '[]')
   FROM document_tags dt JOIN tags t ON t.id = dt.tag_id WHERE dt.document_id = d.id) AS tags`;

export interface DocumentFilter {
  limit: number;
  beforeId: string | undefined;
  domain: string | undefined;
  collectionId: string | undefined;
  tagId: string | undefined;
  source: string | undefined;
  language: string | undefined;
  text: string | undefined;
  deleted: boolean;
  gone: boolean;
}

/** Newest first, before `beforeId`; deleted or gone ones only when requested. */
export function listDocumentViews(sql: Sql, filter: DocumentFilter): Promise<DocumentView[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM documents d
     WHERE ${before('d.id', '$2')} AND ($3::text IS NULL OR d.domain = $3)
       AND ($4::uuid IS NULL OR d.collection_id = $4) AND ($5::text IS NULL OR d.source = $5)
       AND ($6::text IS NULL OR d.language = $6)
       AND ($7::text IS NULL OR strpos(lower(d.url), $7) > 0 OR strpos(lower(d.title), $7) > 0)
       AND ($8::uuid IS NULL OR EXISTS (SELECT 1 FROM document_tags t WHERE t.document_id = d.id AND t.tag_id = $8))
       AND (d.deleted_at IS NOT NULL) = $9 AND ((d.gone_at IS NOT NULL) = $10 OR $9)
     ORDER BY d.id DESC LIMIT $1`,
    [
      filter.limit,
      filter.beforeId ?? null,
      filter.domain ?? null,
      filter.collectionId ?? null,
      filter.source ?? null,
      filter.language ?? null,
      filter.text ?? null,
      filter.tagId ?? null,
      filter.deleted,
      filter.gone,
    ],
  );
}

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

export async function findDocumentByHash(
  sql: Sql,
  urlHash: string,
): Promise<{ id: string; version: number; deleted: boolean } | undefined> {
  const rows = await sql.query<{ id: string; version: number; deleted: boolean }>(
    `SELECT id, version, deleted_at IS NOT NULL AS deleted FROM documents WHERE url_hash = decode($1, 'hex')`,
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
  content_type: 'prose' | 'code' | 'table' | 'list';
  embedding_model: string | null;
}

export function listChunkViews(sql: Sql, documentId: string, limit: number, after: number): Promise<ChunkView[]> {
  return sql.query(
    `SELECT id, document_id, chunk_index, start_char, end_char, content, token_count, heading_path, content_type,
       embedding_model
     FROM chunks WHERE document_id = $1 AND chunk_index > $3 ORDER BY chunk_index LIMIT $2`,
    [documentId, limit, after],
  );
}
