import type { Sql } from '../../ports/database.ts';
import { before } from '../before-id.ts';
import type { ChunkView } from '../documents/document-views.ts';

/** The texts of documents, by id. */
export async function readContents(sql: Sql, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.query<{ id: string; content: string }>(
    'SELECT id, content FROM documents WHERE id = ANY ($1::uuid[])',
    [ids],
  );
  return new Map(rows.map(({ id, content }) => [id, content]));
}

export interface ChunkExportRow extends ChunkView {
  url: string;
  title: string | null;
  domain: string;
}

export interface ChunkFilter {
  documentId: string | undefined;
  domain: string | undefined;
  collectionId: string | undefined;
}

/** The passages of documents that can be found, newest first. */
export function listChunkRows(
  sql: Sql,
  filter: ChunkFilter,
  beforeId: string | undefined,
  limit: number,
): Promise<ChunkExportRow[]> {
  return sql.query(
    `SELECT c.id, c.document_id, c.chunk_index, c.start_char, c.end_char, c.content, c.token_count, c.heading_path, c.content_type,
       c.embedding_model, d.url, d.title, d.domain
     FROM chunks c JOIN documents d ON d.id = c.document_id
     WHERE ${before('c.id', '$2')} AND ($3::uuid IS NULL OR c.document_id = $3) AND ($4::text IS NULL OR d.domain = $4)
       AND ($5::uuid IS NULL OR d.collection_id = $5) AND d.deleted_at IS NULL AND d.gone_at IS NULL
     ORDER BY c.id DESC LIMIT $1`,
    [limit, beforeId ?? null, filter.documentId ?? null, filter.domain ?? null, filter.collectionId ?? null],
  );
}

export interface LinkExportRow {
  /** PAGE:POSITION: a page's links are one row of the table. */
  id: string;
  page_id: string;
  position: number;
  from_url: string;
  domain: string;
  to_url: string;
  anchor: string;
  rel: string;
}

/** Single links: newest page first, and in a page in their order. Goes on after the link `after` names. */
export function listLinkRows(
  sql: Sql,
  filter: { domain: string | undefined; pageId: string | undefined },
  after: { pageId: string; position: number } | undefined,
  limit: number,
): Promise<LinkExportRow[]> {
  return sql.query(
    `SELECT l.page_id || ':' || x.position AS id, l.page_id, x.position::int AS position, p.url AS from_url, d.domain, x.url AS to_url,
       x.anchor, x.rel
     FROM links l JOIN pages p ON p.id = l.page_id JOIN domains d ON d.id = p.domain_id
       CROSS JOIN LATERAL unnest(l.urls, l.anchors, l.rels) WITH ORDINALITY AS x (url, anchor, rel, position)
     WHERE l.page_id <= coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND (l.page_id <> $2 OR x.position > $3 OR $2 IS NULL)
       AND ($4::text IS NULL OR d.domain = $4) AND ($5::uuid IS NULL OR l.page_id = $5)
     ORDER BY l.page_id DESC, x.position LIMIT $1`,
    [limit, after?.pageId ?? null, after?.position ?? 0, filter.domain ?? null, filter.pageId ?? null],
  );
}
