import type { Sql } from '../../ports/database.ts';

export interface OutboxRow {
  id: number;
  document_id: string;
  attempt: number;
  priority: number;
}

export type OutboxStage = 'text' | 'vector' | 'touch';

/**
 * Leases the most urgent rows of a stage. A row whose lease expired is taken again: its worker is gone.
 * A document that another worker holds is skipped, so that two workers do not write it at once.
 */
export function claimOutbox(
  sql: Sql,
  claim: { stage: OutboxStage; worker: string; limit: number; leaseS: number },
): Promise<OutboxRow[]> {
  return sql.query(
    `UPDATE outbox SET worker_id = $2, lease_until = now() + make_interval(secs => $4), attempt = attempt + 1
     WHERE id IN (
       SELECT o.id FROM outbox o
       WHERE o.stage = $1 AND o.due_at <= now() AND (o.lease_until IS NULL OR o.lease_until < now())
         AND NOT EXISTS (SELECT 1 FROM outbox held WHERE held.document_id = o.document_id AND held.lease_until >= now())
       ORDER BY o.priority, o.id LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING id, document_id, attempt, priority`,
    [claim.stage, claim.worker, claim.limit, claim.leaseS],
  );
}

/** Ends rows that are done. Naming the attempt keeps a worker that lost its lease from ending another's row. */
export async function finishOutbox(sql: Sql, rows: readonly OutboxRow[]): Promise<void> {
  await sql.query(
    `DELETE FROM outbox o USING json_to_recordset($1::json) AS x (id bigint, attempt int)
     WHERE o.id = x.id AND o.attempt = x.attempt`,
    [JSON.stringify(rows)],
  );
}

/** Moves rows on to the next stage, or back to this one when there is more of the document to do. */
export async function passOutbox(sql: Sql, rows: readonly OutboxRow[], stage: OutboxStage): Promise<void> {
  await sql.query(
    `UPDATE outbox o SET stage = $2, worker_id = NULL, lease_until = NULL, attempt = 0, error = NULL
     FROM json_to_recordset($1::json) AS x (id bigint, attempt int) WHERE o.id = x.id AND o.attempt = x.attempt`,
    [JSON.stringify(rows), stage],
  );
}

/** Gives rows back after a failure: 1 s, 2 s, 4 s … up to a minute later. */
export async function returnOutbox(sql: Sql, rows: readonly OutboxRow[], error: string): Promise<void> {
  await sql.query(
    `UPDATE outbox o SET worker_id = NULL, lease_until = NULL, error = left($2, 1000),
       due_at = now() + make_interval(secs => least(60, 0.5 * 2 ^ least(o.attempt, 10)))
     FROM json_to_recordset($1::json) AS x (id bigint, attempt int) WHERE o.id = x.id AND o.attempt = x.attempt`,
    [JSON.stringify(rows), error],
  );
}

/** Ends the leases of workers that are known to be gone. */
export async function expireOutbox(sql: Sql, workers: readonly string[]): Promise<void> {
  await sql.query('UPDATE outbox SET worker_id = NULL, lease_until = NULL WHERE worker_id = ANY($1)', [workers]);
}

/** Queues documents to be indexed (or, when deleted, removed) again. */
export async function queueDocuments(
  sql: Sql,
  documentIds: readonly string[],
  options: { action?: 'index' | 'delete'; priority?: number; stage?: OutboxStage } = {},
): Promise<void> {
  if (documentIds.length === 0) return;
  await sql.query(
    `INSERT INTO outbox (document_id, action, priority, stage) SELECT id, $2, $3, $4 FROM unnest($1::uuid[]) AS id`,
    [documentIds, options.action ?? 'index', options.priority ?? 5, options.stage ?? 'text'],
  );
}

export async function countOutbox(sql: Sql): Promise<{ text: number; vector: number; failing: number }> {
  const rows = await sql.query<{ text: number; vector: number; failing: number }>(
    `SELECT count(*) FILTER (WHERE stage = 'text') AS text, count(*) FILTER (WHERE stage = 'vector') AS vector,
       count(*) FILTER (WHERE error IS NOT NULL) AS failing FROM outbox`,
  );
  return rows[0]!;
}

/** Plans a new pass over documents: all, those of a collection, or those whose chunks lack a model's vectors. */
export async function queueReindex(
  sql: Sql,
  scope: { collectionId?: string | undefined; notOfModel?: string | undefined },
  priority: number,
): Promise<number> {
  const rows = await sql.query(
    `INSERT INTO outbox (document_id, action, priority)
     SELECT d.id, 'index', $3::int FROM documents d
     WHERE d.deleted_at IS NULL AND d.gone_at IS NULL AND ($1::uuid IS NULL OR d.collection_id = $1)
       AND ($2::text IS NULL OR EXISTS (
         SELECT 1 FROM chunks c WHERE c.document_id = d.id AND c.embedding_model IS DISTINCT FROM $2))
       AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.document_id = d.id AND o.stage = 'text' AND o.lease_until IS NULL)
     RETURNING id`,
    [scope.collectionId ?? null, scope.notOfModel ?? null, priority],
  );
  return rows.length;
}
