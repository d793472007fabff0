import type { Sql } from '../../ports/database.ts';
import { CRAWL_OPEN } from '../crawls/states.ts';
import type { Listing, Sorts } from '../listing.ts';

export interface OverviewRow {
  pages: number;
  documents: number;
  chunks: number;
  products: number;
  domains: number;
  sources: number;
  crawls: Record<string, number>;
  jobs: Record<string, number>;
  outbox: number;
  tasks_open: number;
  tasks_failed: number;
  workers: number;
}

/**
 * Figures of the whole installation. Large tables are counted by the planner's estimate, which is right to a few percent and
 * costs nothing; a table too young to have one is counted.
 */
export async function readOverview(sql: Sql): Promise<OverviewRow> {
  const rows = await sql.query<OverviewRow>(
    `WITH estimates AS (
       SELECT relname, reltuples::bigint AS rows FROM pg_class WHERE relname IN ('pages', 'documents', 'chunks', 'products', 'tasks')
         AND relnamespace = 'public'::regnamespace
     )
     SELECT
       (SELECT CASE WHEN rows < 100000 THEN (SELECT count(*) FROM pages) ELSE rows END FROM estimates WHERE relname = 'pages') AS pages,
       (SELECT CASE WHEN rows < 100000 THEN (SELECT count(*) FROM documents WHERE deleted_at IS NULL AND gone_at IS NULL) ELSE rows END
        FROM estimates WHERE relname = 'documents') AS documents,
       (SELECT CASE WHEN rows < 100000 THEN (SELECT count(*) FROM chunks) ELSE rows END FROM estimates WHERE relname = 'chunks') AS chunks,
       (SELECT CASE WHEN rows < 100000 THEN (SELECT count(*) FROM products) ELSE rows END
        FROM estimates WHERE relname = 'products') AS products,
       (SELECT count(*) FROM domains) AS domains,
       (SELECT count(*) FROM sources) AS sources,
       (SELECT coalesce(jsonb_object_agg(status, n), '{}') FROM (SELECT status, count(*) AS n FROM crawls GROUP BY status) c) AS crawls,
       (SELECT coalesce(jsonb_object_agg(status, n), '{}') FROM (SELECT status, count(*) AS n FROM jobs GROUP BY status) j) AS jobs,
       (SELECT count(*) FROM (SELECT FROM outbox LIMIT 100000) o) AS outbox,
       (SELECT coalesce(sum(greatest(0, pages_discovered - pages_crawled - pages_failed - pages_skipped - pages_cancelled)), 0)
        FROM crawls WHERE ${CRAWL_OPEN()}) AS tasks_open,
       (SELECT count(*) FROM (SELECT FROM tasks WHERE status = 'failed' LIMIT 100000) f) AS tasks_failed,
       (SELECT count(*) FROM workers WHERE seen_at > now() - interval '2 minutes') AS workers`,
  );
  return rows[0]!;
}

export interface DomainFigures {
  domain: string;
  pages_fetched: number;
  pages_failed: number;
  latency_ms: number | null;
  circuit_state: 'closed' | 'open' | 'half_open';
  is_blocked: boolean;
}

/** The busiest first. There is no index for it: every fetched page would have to write to it. */
export const FIGURE_SORTS = {
  pages_fetched: {
    keys: [
      { sql: 'pages_fetched', type: 'bigint' },
      { sql: 'domain', type: 'text' },
    ],
    order: 'desc',
  },
} satisfies Sorts;

export const listDomainFigures = (): Listing<DomainFigures> => ({
  columns: 'domain, pages_fetched, pages_failed, latency_ms, circuit_state, NOT is_active AS is_blocked',
  from: 'domains',
  filters: [],
});
