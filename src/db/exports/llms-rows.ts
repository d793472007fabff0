import type { Sql } from '../../ports/database.ts';

export interface LlmsRow {
  id: string;
  url: string;
  title: string | null;
  description: string | null;
  host: string;
  /** The first folder of the path; empty for pages at the top. */
  section: string;
  content_length: number;
}

const HOST = `coalesce(substring(d.url FROM '^[a-z]+://([^/]+)'), '')`;
const SECTION = `coalesce(substring(d.url FROM '^[a-z]+://[^/]+/([^/?#]+)/'), '')`;

/**
 * The documents of a collection in the order of their sites and folders. No index has that order: each call sorts the collection
 * without its texts, so that calls take many rows at a time.
 */
export function listLlmsRows(
  sql: Sql,
  collectionId: string,
  after: Pick<LlmsRow, 'host' | 'section' | 'url'> | undefined,
  limit: number,
): Promise<LlmsRow[]> {
  return sql.query(
    `SELECT * FROM (
       SELECT d.id, d.url, d.title, d.metadata ->> 'description' AS description, ${HOST} COLLATE "C" AS host,
         ${SECTION} COLLATE "C" AS section, length(d.content) AS content_length
       FROM documents d WHERE d.collection_id = $1 AND d.deleted_at IS NULL AND d.gone_at IS NULL
     ) rows
     WHERE $2::text IS NULL OR (host, section, url COLLATE "C") > ($2, $3, $4)
     ORDER BY host, section, url COLLATE "C" LIMIT $5`,
    [collectionId, after?.host ?? null, after?.section ?? null, after?.url ?? null, limit],
  );
}
