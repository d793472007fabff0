import type { Sql } from '../../ports/database.ts';

/** Touched documents wait so long for others, which the index takes in with the same write. */
const TOUCH_AFTER_S = 10;

/**
 * The statement that queues a new `fetched_at` for the indexes, of the ids in `source`. A document that waits for the text stage, or for
 * this one, needs no second row.
 */
export const queueTouched = (source: string) =>
  `INSERT INTO outbox (document_id, action, stage, due_at)
   SELECT t.id, 'index', 'touch', now() + ${TOUCH_AFTER_S} * interval '1 s' FROM ${source} t
   WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.document_id = t.id AND o.stage <> 'vector' AND o.lease_until IS NULL)`;

/** The site said that nothing changed: the document is as fresh as the visit, and back if it was gone. */
export async function touchDocuments(sql: Sql, urlHashes: readonly string[]): Promise<void> {
  if (urlHashes.length === 0) return;
  await sql.query(
    `WITH input AS (SELECT decode(hash, 'hex') AS hash FROM unnest($1::text[]) AS x (hash)),
     back AS (
       SELECT d.id FROM documents d JOIN input i ON d.url_hash = i.hash WHERE d.gone_at IS NOT NULL AND d.deleted_at IS NULL
     ), touched AS (
       UPDATE documents d SET fetched_at = now(), gone_at = NULL, gone_reason = NULL FROM input i WHERE d.url_hash = i.hash
       RETURNING d.id
     ), listed AS (
       UPDATE products p SET gone_at = NULL, checked_at = now() FROM input i WHERE p.url_hash = i.hash
     ), queued AS (${queueTouched('touched')})
     INSERT INTO outbox (document_id, action) SELECT id, 'index' FROM back`,
    [urlHashes],
  );
}
