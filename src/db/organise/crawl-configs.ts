import type { Sql } from '../../ports/database.ts';
import type { CrawlOptions } from '../crawls/crawl-options.ts';
import { type Listing, newestFirst, type Sorts } from '../listing.ts';
import type { StoredHeaders } from '../stored-headers.ts';

export interface CrawlConfigRow {
  id: string;
  name: string;
  options: CrawlOptions;
  headers: StoredHeaders;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'id, name, options, headers, created_at, updated_at';

export const CONFIG_SORTS = {
  created: newestFirst(),
  name: {
    keys: [
      { sql: 'name', type: 'text' },
      { sql: 'id', type: 'uuid' },
    ],
    order: 'asc',
  },
} satisfies Sorts;

export const listCrawlConfigRows = (): Listing<CrawlConfigRow> => ({
  columns: COLUMNS,
  from: 'crawl_configs',
  filters: [],
});

export async function findCrawlConfig(sql: Sql, id: string): Promise<CrawlConfigRow | undefined> {
  return (await sql.query<CrawlConfigRow>(`SELECT ${COLUMNS} FROM crawl_configs WHERE id = $1`, [id]))[0];
}

export async function insertCrawlConfig(
  sql: Sql,
  row: Pick<CrawlConfigRow, 'id' | 'name' | 'options' | 'headers'>,
): Promise<CrawlConfigRow> {
  const rows = await sql.query<CrawlConfigRow>(
    `INSERT INTO crawl_configs (id, name, options, headers) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
    [row.id, row.name, JSON.stringify(row.options), JSON.stringify(row.headers)],
  );
  return rows[0]!;
}

/** `headers` undefined leaves the stored ones. */
export async function updateCrawlConfigRow(
  sql: Sql,
  id: string,
  change: { name: string; options: CrawlOptions; headers: StoredHeaders | undefined },
): Promise<CrawlConfigRow | undefined> {
  const rows = await sql.query<CrawlConfigRow>(
    `UPDATE crawl_configs SET name = $2, options = $3, headers = coalesce($4::jsonb, headers), updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`,
    [
      id,
      change.name,
      JSON.stringify(change.options),
      change.headers === undefined ? null : JSON.stringify(change.headers),
    ],
  );
  return rows[0];
}

export async function deleteCrawlConfigRow(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('DELETE FROM crawl_configs WHERE id = $1 RETURNING id', [id])).length === 1;
}
