import type { Sql } from '../../ports/database.ts';

export interface RobotsRow {
  origin: string;
  status: number | null;
  /** Why it cannot be read, as the end of a sentence. */
  reason: string | null;
  body: string | null;
  state: 'rules' | 'allow_all' | 'unavailable';
  crawl_delay_ms: number | null;
  sitemaps: string[];
  fetched_at: Date;
  expires_at: Date;
}

const COLUMNS = 'origin, status, reason, body, state, crawl_delay_ms, sitemaps, fetched_at, expires_at';

export function listRobotsRows(sql: Sql, domainId: string): Promise<RobotsRow[]> {
  return sql.query(`SELECT ${COLUMNS} FROM robots WHERE domain_id = $1 ORDER BY origin`, [domainId]);
}

export async function findRobots(sql: Sql, origin: string): Promise<RobotsRow | undefined> {
  const [row] = await sql.query<RobotsRow>(`SELECT ${COLUMNS} FROM robots WHERE origin = $1`, [origin]);
  return row;
}

/**
 * Keeps what a site's robots.txt said, and returns the delay its whole domain has to keep: the longest that any of the
 * domain's origins requires. A domain that has no row yet gets one with `domainId`.
 */
export async function saveRobots(sql: Sql, domainId: string, domain: string, row: RobotsRow): Promise<number> {
  const [saved] = await sql.query<{ delay_ms: number }>(
    `WITH made AS (
       INSERT INTO domains (id, domain) VALUES ($1, $2) ON CONFLICT (domain) DO NOTHING RETURNING id
     ), owner AS (
       SELECT id FROM made UNION ALL SELECT id FROM domains WHERE domain = $2
     ), saved AS (
       INSERT INTO robots (origin, domain_id, status, body, state, crawl_delay_ms, sitemaps, fetched_at, expires_at, reason)
       SELECT $3, id, $4, $5, $6, $7, $8, $9, $10, $11 FROM owner
       ON CONFLICT (origin) DO UPDATE SET status = $4, body = $5, state = $6, crawl_delay_ms = $7, sitemaps = $8,
         fetched_at = $9, expires_at = $10, reason = $11
     )
     SELECT greatest(coalesce($7::int, 0), coalesce(max(r.crawl_delay_ms), 0)) AS delay_ms
     FROM owner LEFT JOIN robots r ON r.domain_id = owner.id AND r.origin <> $3 AND r.expires_at > $9`,
    [
      domainId,
      domain,
      row.origin,
      row.status,
      row.body,
      row.state,
      row.crawl_delay_ms,
      row.sitemaps,
      row.fetched_at,
      row.expires_at,
      row.reason,
    ],
  );
  return saved?.delay_ms ?? 0;
}
