import type { Sql } from '../../ports/database.ts';

/** What decides whether two pages have the same content. */
export interface PageContent {
  content_hash: string | null;
  simhash: string | null;
  length: number;
}

const CONTENT = `encode(p.content_hash, 'hex') AS content_hash, p.simhash::text AS simhash, length(d.content) AS length`;
const LIVE = 'd.page_id = p.id AND d.deleted_at IS NULL AND d.gone_at IS NULL';

/** Documents that can be found under these addresses, by address hash. */
export async function findCanonicalTargets(sql: Sql, hashes: readonly string[]): Promise<Map<string, PageContent>> {
  if (hashes.length === 0) return new Map();
  const rows = await sql.query<PageContent & { url_hash: string }>(
    `SELECT encode(d.url_hash, 'hex') AS url_hash, ${CONTENT}
     FROM unnest($1::text[]) AS x (hash) JOIN documents d ON d.url_hash = decode(x.hash, 'hex') JOIN pages p ON ${LIVE}`,
    [hashes],
  );
  return new Map(rows.map((row) => [row.url_hash, row]));
}

export interface NamingPage extends PageContent {
  page_id: string;
  url_hash: string;
  canonical_hash: string;
}

/** Pages that name one of these addresses as their canonical one and are still found under their own. */
export function findPagesNaming(sql: Sql, hashes: readonly string[], limit: number): Promise<NamingPage[]> {
  return sql.query(
    `SELECT p.id AS page_id, encode(d.url_hash, 'hex') AS url_hash, encode(p.canonical_hash, 'hex') AS canonical_hash, ${CONTENT}
     FROM pages p JOIN documents d ON ${LIVE}
     WHERE p.canonical_hash = ANY (ARRAY(SELECT decode(hash, 'hex') FROM unnest($1::text[]) AS x (hash)))
       AND d.url_hash <> p.canonical_hash
     LIMIT $2`,
    [hashes, limit],
  );
}

/** Says of pages that their content is found elsewhere. The code also makes a later 304 read the stored page again. */
export async function markFolded(sql: Sql, pageIds: readonly string[]): Promise<void> {
  if (pageIds.length === 0) return;
  await sql.query(`UPDATE pages SET error_code = 'DUPLICATE_CONTENT' WHERE id = ANY ($1::uuid[])`, [pageIds]);
}
