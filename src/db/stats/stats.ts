import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';

const RESOLUTIONS = ['minute', 'hour', 'day'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export interface Figure {
  at: Date;
  /** Empty: of the whole installation. */
  domain: string;
  metric: string;
  value: number;
}

/**
 * Adds figures to their minute, hour and day in one statement: a sum over days is the sum over the minutes in them, also
 * after the minutes are deleted. Rows are taken in one order, so that writers at the same time cannot lock each other out.
 */
export async function addFigures(sql: Sql, figures: readonly Figure[]): Promise<void> {
  if (figures.length === 0) return;
  await sql.query(
    `INSERT INTO stats (resolution, bucket, domain, metric, value)
     SELECT r.resolution, date_trunc(r.resolution, x.at, 'UTC'), x.domain, x.metric, sum(x.value)
     FROM json_to_recordset($1::json) AS x (at timestamptz, domain text, metric text, value float8), unnest($2::text[]) AS r (resolution)
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
     ON CONFLICT (resolution, bucket, domain, metric) DO UPDATE SET value = stats.value + excluded.value`,
    [toJson(figures), RESOLUTIONS],
  );
}

/** One figure over time: its sum in each step that has any. `slot` counts steps from 1970. */
export function sumFigures(
  sql: Sql,
  series: { metric: string; domain: string; resolution: Resolution; from: Date; to: Date; stepS: number },
): Promise<{ slot: number; value: number }[]> {
  const { metric, domain, resolution, from, to, stepS } = series;
  return sql.query(
    `SELECT floor(extract(epoch FROM bucket) / $6::int)::bigint AS slot, sum(value) AS value FROM stats
     WHERE metric = $1 AND domain = $2 AND resolution = $3 AND bucket >= $4 AND bucket < $5 GROUP BY 1`,
    [metric, domain, resolution, from, to, stepS],
  );
}

/** In batches; returns how many went. Figures per day stay. */
export async function deleteOldFigures(sql: Sql, minutesD: number, hoursD: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM stats WHERE (resolution, bucket, domain, metric) IN (
       SELECT resolution, bucket, domain, metric FROM stats
       WHERE resolution = 'minute' AND bucket < now() - $1::int * interval '1 day'
         OR resolution = 'hour' AND bucket < now() - $2::int * interval '1 day' LIMIT $3)
     RETURNING 1`,
    [minutesD, hoursD, limit],
  );
  return rows.length;
}
