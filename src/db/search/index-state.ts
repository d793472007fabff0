import type { Sql } from '../../ports/database.ts';

/** Which vectors answer: the model that made them, and how to have its embedder again. */
export interface IndexSpace {
  model: string;
  dimension: number;
  choice: unknown;
}

const SPACE = 'index_space';
const GENERATION = 'index_generation';
const OPTIMIZER = 'index_optimizer';
const TERMS = 'index_terms';

export async function readSpace(sql: Sql): Promise<IndexSpace | undefined> {
  const rows = await sql.query<{ value: IndexSpace }>('SELECT value FROM settings WHERE key = $1', [SPACE]);
  return rows[0]?.value;
}

export async function writeSpace(sql: Sql, space: IndexSpace): Promise<void> {
  await sql.query(
    `INSERT INTO settings (key, value) VALUES ($1, $2)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()`,
    [SPACE, JSON.stringify(space)],
  );
}

/** Grows with every change of what a search could return: an answer kept under an older number is not used again. */
export async function bumpGeneration(sql: Sql): Promise<void> {
  await sql.query(
    `INSERT INTO settings (key, value) VALUES ($1, '1')
     ON CONFLICT (key) DO UPDATE SET value = to_jsonb(settings.value::bigint + 1), updated_at = now()`,
    [GENERATION],
  );
}

/** Notes how text is cut into terms by now; true for the one caller that changed it. */
export async function writeTermsVersion(sql: Sql, version: number): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO settings (key, value) VALUES ($1, to_jsonb($2::int))
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now() WHERE settings.value <> excluded.value
     RETURNING key`,
    [TERMS, version],
  );
  return rows.length === 1;
}

/** One process at a time tidies the indexes; true for the one that may. The right runs out by itself. */
export async function claimOptimizer(sql: Sql, worker: string, forS: number): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO settings (key, value) VALUES ($1, jsonb_build_object('worker', $2::text))
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = now()
     WHERE settings.value ->> 'worker' = $2 OR settings.updated_at < now() - make_interval(secs => $3)
     RETURNING key`,
    [OPTIMIZER, worker, forS],
  );
  return rows.length === 1;
}

/** Plans vectors of another model for every document whose chunks lack them; urgent work goes before. */
export async function queueMissingVectors(sql: Sql, model: string, priority: number): Promise<number> {
  const rows = await sql.query(
    `INSERT INTO outbox (document_id, action, priority, stage)
     SELECT DISTINCT c.document_id, 'index', $2::int, 'vector' FROM chunks c
     WHERE c.embedding_model IS DISTINCT FROM $1
       AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.document_id = c.document_id AND o.stage <> 'touch')
     RETURNING id`,
    [model, priority],
  );
  return rows.length;
}
