import type { Sql } from '../../ports/database.ts';

export interface DomainStatsRow {
  tasks_waiting: number;
  tasks_in_flight: number;
  pages: number;
  pages_changed: number;
  documents: number;
  products: number;
  errors: Record<string, number>;
}

/** Figures of one domain. Waiting tasks beyond 10,000 are not counted one by one. */
export async function readDomainStats(sql: Sql, row: { id: string; domain: string }): Promise<DomainStatsRow> {
  const rows = await sql.query<DomainStatsRow>(
    `SELECT
       (SELECT count(*) FROM (SELECT FROM tasks WHERE domain_id = $1 AND status = 'pending' AND ready LIMIT 10000) t) AS tasks_waiting,
       (SELECT count(*) FROM tasks WHERE domain_id = $1 AND status IN ('crawling', 'parsing')) AS tasks_in_flight,
       (SELECT count(*) FROM pages WHERE domain_id = $1) AS pages,
       (SELECT count(*) FROM pages WHERE domain_id = $1 AND changes > 0) AS pages_changed,
       (SELECT count(*) FROM documents WHERE domain = $2 AND deleted_at IS NULL AND gone_at IS NULL) AS documents,
       (SELECT count(*) FROM products WHERE domain = $2) AS products,
       (SELECT coalesce(jsonb_object_agg(code, n), '{}') FROM (
         SELECT error_code AS code, count(*) AS n FROM pages
         WHERE domain_id = $1 AND error_code IS NOT NULL GROUP BY error_code) e) AS errors`,
    [row.id, row.domain],
  );
  return rows[0]!;
}
