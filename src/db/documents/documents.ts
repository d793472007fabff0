import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';
import { queueTouched } from './touch-documents.ts';

export interface DocumentRow {
  id: string;
  url: string;
  url_hash: string;
  domain: string;
  page_id: string | null;
  /** The task of the page it was found on. */
  parent_task_id: string | null;
  title: string | null;
  content: string;
  content_hash: string;
  language: string | null;
  content_type: string;
  kind: string | null;
  source: 'crawl' | 'upload' | 'api';
  collection_id: string | null;
  source_id: string | null;
  metadata: object;
  chunking: object;
  priority: number;
  /** When its page was visited, where that is not now. It replaces nothing that is younger. */
  fetched_at?: string | null;
  /** The group of an earlier document that is nearly the same. */
  duplicate_group?: string | null;
}

/**
 * Stores documents whose content is new, keeps the version they replace, and writes the outbox row the indexer works
 * from: all in the caller's transaction. Unchanged content only moves `fetched_at`, unless the document was gone: it is then back, under
 * the version it had.
 */
export function upsertDocuments(
  sql: Sql,
  rows: readonly DocumentRow[],
): Promise<{ id: string; url_hash: string; version: number }[]> {
  const { json, bytes } = splitContent(rows);
  return sql.query(
    `WITH input AS (
       SELECT * FROM json_to_recordset($1::json) AS x (
         id uuid, url text, url_hash text, domain text, page_id uuid, parent_task_id uuid, title text, start int, length int,
         content_hash text, language text, content_type text, kind text, source text, collection_id uuid, source_id uuid, metadata jsonb,
         chunking jsonb, priority int, fetched_at timestamptz, duplicate_group uuid)
     ), kept AS (
       INSERT INTO document_versions (document_id, version, title, content, content_hash, metadata, fetched_at)
       SELECT d.id, d.version, d.title, d.content, d.content_hash, d.metadata, d.fetched_at
       FROM documents d JOIN input i ON d.url_hash = decode(i.url_hash, 'hex')
       WHERE d.content_hash <> decode(i.content_hash, 'hex') AND (i.fetched_at IS NULL OR i.fetched_at >= d.fetched_at)
       ON CONFLICT DO NOTHING
     ), stored AS (
       INSERT INTO documents AS d (id, url, url_hash, domain, page_id, parent_url, title, content, content_hash, language, content_type,
         kind, source, collection_id, source_id, metadata, chunking, duplicate_group, fetched_at)
       SELECT id, url, decode(url_hash, 'hex'), domain, page_id, (SELECT t.url FROM tasks t WHERE t.id = parent_task_id), title,
         convert_from(substring($2::bytea FROM start FOR length), 'UTF8'), decode(content_hash, 'hex'), language,
         content_type, kind, source, collection_id, source_id, metadata, chunking, duplicate_group,
         least(coalesce(fetched_at, now()), now())
       FROM (SELECT * FROM input ORDER BY url_hash) AS ordered
       ON CONFLICT (url_hash) DO UPDATE SET
         title = excluded.title, content = excluded.content, content_hash = excluded.content_hash, language = excluded.language,
         content_type = excluded.content_type, kind = excluded.kind, metadata = excluded.metadata, chunking = excluded.chunking,
         parent_url = coalesce(d.parent_url, excluded.parent_url), page_id = coalesce(excluded.page_id, d.page_id), collection_id = coalesce(excluded.collection_id, d.collection_id),
         duplicate_group = CASE WHEN excluded.duplicate_group IS NOT NULL OR d.content_hash = excluded.content_hash
           THEN coalesce(excluded.duplicate_group, d.duplicate_group) ELSE excluded.id END,
         version = d.version + (d.content_hash <> excluded.content_hash OR d.title IS DISTINCT FROM excluded.title)::int,
         fetched_at = excluded.fetched_at, updated_at = now(), deleted_at = NULL, gone_at = NULL, gone_reason = NULL
       WHERE (d.content_hash <> excluded.content_hash OR d.title IS DISTINCT FROM excluded.title
         OR (d.gone_at IS NOT NULL AND d.deleted_at IS NULL)) AND (excluded.fetched_at = now() OR excluded.fetched_at >= d.fetched_at)
       RETURNING d.id, d.url_hash, d.version
     ), queued AS (
       INSERT INTO outbox (document_id, action, priority)
       SELECT s.id, 'index', i.priority FROM stored s JOIN input i ON decode(i.url_hash, 'hex') = s.url_hash
     ), seen AS (
       UPDATE documents d SET fetched_at = least(coalesce(i.fetched_at, now()), now()) FROM input i
       WHERE d.url_hash = decode(i.url_hash, 'hex') AND d.content_hash = decode(i.content_hash, 'hex')
         AND NOT d.title IS DISTINCT FROM i.title AND d.gone_at IS NULL AND (i.fetched_at IS NULL OR i.fetched_at > d.fetched_at)
       RETURNING d.id
     ), touched AS (${queueTouched('seen')})
     SELECT id, encode(url_hash, 'hex') AS url_hash, version FROM stored`,
    [json, bytes],
  );
}

/** The texts travel as bytes behind the rows: escaping and reading them as JSON would cost more than storing them. */
function splitContent(rows: readonly DocumentRow[]): { json: string; bytes: Buffer } {
  const parts: Buffer[] = [];
  let start = 1;
  const light = rows.map(({ content, ...row }) => {
    const part = Buffer.from(content.includes('\0') ? content.replaceAll('\0', '') : content);
    parts.push(part);
    const place = { start, length: part.length };
    start += part.length;
    return { ...row, ...place };
  });
  return { json: toJson(light), bytes: Buffer.concat(parts) };
}

/** Hides documents at once; returns those that were visible. */
export async function softDeleteDocuments(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `UPDATE documents SET deleted_at = now(), updated_at = now() WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL
     RETURNING id`,
    [ids],
  );
  return rows.map((row) => row.id);
}

export async function undeleteDocuments(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `UPDATE documents SET deleted_at = NULL, updated_at = now() WHERE id = ANY ($1::uuid[]) AND deleted_at IS NOT NULL
     RETURNING id`,
    [ids],
  );
  return rows.map((row) => row.id);
}

export async function moveDocuments(sql: Sql, ids: readonly string[], collectionId: string | null): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `UPDATE documents SET collection_id = $2, updated_at = now()
     WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL AND collection_id IS DISTINCT FROM $2::uuid RETURNING id`,
    [ids, collectionId],
  );
  return rows.map((row) => row.id);
}

/** Removes for good what was deleted before the given age; chunks and versions go along. */
export async function purgeDocuments(sql: Sql, olderThanD: number, limit: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `DELETE FROM documents WHERE id IN (
       SELECT id FROM documents WHERE deleted_at < now() - make_interval(days => $1) ORDER BY deleted_at LIMIT $2)
     RETURNING id`,
    [olderThanD, limit],
  );
  return rows.map((row) => row.id);
}
