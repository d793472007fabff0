import type { Sql } from '../../ports/database.ts';
import { toJson } from '../json.ts';

export interface ParserRun {
  parser: string;
  parser_version: string;
  domain: string;
  shadow: boolean;
  pages: number;
  parsed: number;
  differs: number;
  /** A few pages where the parser on trial says something else, with what. */
  samples: object[];
}

const MAX_SAMPLES = 20;

/** Adds to the day's counts. One row a parser, version, domain and day; rows are taken in order, so batches never lock each other. */
export async function recordParserRuns(sql: Sql, runs: readonly ParserRun[]): Promise<void> {
  if (runs.length === 0) return;
  await sql.query(
    `INSERT INTO parser_runs AS r (parser, parser_version, domain, day, shadow, pages, parsed, differs, samples)
     SELECT parser, parser_version, domain, (now() AT TIME ZONE 'UTC')::date, shadow, pages, parsed, differs, samples
     FROM json_to_recordset($1::json) AS x (
       parser text, parser_version text, domain text, shadow boolean, pages int, parsed int, differs int, samples jsonb)
     ORDER BY parser, parser_version, domain, shadow
     ON CONFLICT (parser, parser_version, domain, day, shadow) DO UPDATE SET
       pages = r.pages + excluded.pages, parsed = r.parsed + excluded.parsed, differs = r.differs + excluded.differs,
       samples = jsonb_path_query_array(r.samples || excluded.samples, '$[0 to ${MAX_SAMPLES - 1}]')`,
    [toJson(runs)],
  );
}

export interface ParserRunTotal extends ParserRun {
  first_day: string;
  last_day: string;
}

/** Totals of the last days, the worst success first. */
export function listParserRuns(
  sql: Sql,
  filter: { days: number; domain: string | undefined; parser: string | undefined; limit: number },
): Promise<ParserRunTotal[]> {
  return sql.query(
    `SELECT parser, parser_version, domain, shadow, sum(pages)::int AS pages, sum(parsed)::int AS parsed, sum(differs)::int AS differs,
       min(day)::text AS first_day, max(day)::text AS last_day, (array_agg(samples ORDER BY day DESC))[1] AS samples
     FROM parser_runs
     WHERE day > (now() AT TIME ZONE 'UTC')::date - $1::int AND ($2::text IS NULL OR domain = $2) AND ($3::text IS NULL OR parser = $3)
     GROUP BY 1, 2, 3, 4 ORDER BY sum(parsed)::float8 / greatest(sum(pages), 1), domain, parser LIMIT $4`,
    [filter.days, filter.domain ?? null, filter.parser ?? null, filter.limit],
  );
}
