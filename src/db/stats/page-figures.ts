import type { Sql } from '../../ports/database.ts';
import type { Figure } from './stats.ts';

/** The minute it is now, counted from 1970, by the clock the times of pages are from. */
export async function currentMinute(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ minute: number }>('SELECT floor(extract(epoch FROM now()) / 60)::bigint AS minute');
  return row!.minute;
}

/**
 * What was answered in some minutes: responses by class of status, and bytes, over all and for the busiest domains of each
 * minute. It reads pages by the time of their last visit, so the crawl writes nothing for it. A page that was visited
 * again since counts there alone. An unchanged page (304) brought no bytes.
 */
export function countPages(sql: Sql, fromMinute: number, toMinute: number, domains: number): Promise<Figure[]> {
  return sql.query(
    `WITH seen AS (
       SELECT date_trunc('minute', p.last_crawled_at, 'UTC') AS at, p.domain_id,
         CASE WHEN p.http_status BETWEEN 200 AND 599 THEN 'responses_' || p.http_status / 100 || 'xx' ELSE 'responses_none' END AS metric,
         count(*) AS pages, sum(CASE WHEN p.http_status = 304 THEN 0 ELSE coalesce(p.content_length, 0) END) AS bytes
       FROM pages p
       WHERE p.last_crawled_at >= to_timestamp($1::float8 * 60) AND p.last_crawled_at < to_timestamp($2::float8 * 60)
       GROUP BY 1, 2, 3
     ), ranked AS (
       SELECT at, domain_id, row_number() OVER (PARTITION BY at ORDER BY sum(pages) DESC, domain_id) AS nth FROM seen GROUP BY 1, 2
     ), busiest AS (
       SELECT s.at, d.domain, s.metric, s.pages, s.bytes
       FROM seen s JOIN ranked r ON r.at = s.at AND r.domain_id = s.domain_id AND r.nth <= $3 JOIN domains d ON d.id = s.domain_id
     )
     SELECT at, '' AS domain, metric, sum(pages) AS value FROM seen GROUP BY 1, 3
     UNION ALL SELECT at, '', 'bytes', sum(bytes) FROM seen GROUP BY 1
     UNION ALL SELECT at, domain, metric, pages FROM busiest
     UNION ALL SELECT at, domain, 'bytes', sum(bytes) FROM busiest GROUP BY 1, 2`,
    [fromMinute, toMinute, domains],
  );
}
