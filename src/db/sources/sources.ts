import type { Sql } from '../../ports/database.ts';
import type { CrawlOptions } from '../crawls/crawl-options.ts';
import { type Listing, newestFirst, type Sorts } from '../listing.ts';
import type { StoredHeaders } from '../stored-headers.ts';

export interface SourceRow {
  id: string;
  name: string;
  url: string;
  crawl_config_id: string | null;
  collection_id: string | null;
  options: CrawlOptions;
  headers: StoredHeaders;
  schedule_cron: string | null;
  time_zone: string;
  is_active: boolean;
  next_run_at: Date | null;
  waiting_since: Date | null;
  last_crawled_at: Date | null;
  last_error: string | null;
  /** Who added it: its runs count for them. */
  created_by: string;
  user_id: string | null;
  created_at: Date;
  updated_at: Date;
}

export type SourceFields = Omit<
  SourceRow,
  | 'id'
  | 'headers'
  | 'waiting_since'
  | 'last_crawled_at'
  | 'last_error'
  | 'created_by'
  | 'user_id'
  | 'created_at'
  | 'updated_at'
> & {
  /** Undefined leaves the stored ones. */
  headers: StoredHeaders | undefined;
};

export const SOURCE_COLUMNS = `id, name, url, crawl_config_id, collection_id, options, headers, schedule_cron, time_zone, is_active, next_run_at,
  waiting_since, last_crawled_at, last_error, created_by, user_id, created_at, updated_at`;

/** Sources are few: any order will do. */
export const SOURCE_SORTS = {
  created: newestFirst(),
  name: {
    keys: [
      { sql: 'name', type: 'text' },
      { sql: 'id', type: 'uuid' },
    ],
    order: 'asc',
  },
  next_run: {
    keys: [
      { sql: 'next_run_at', type: 'timestamptz', nullable: true },
      { sql: 'id', type: 'uuid' },
    ],
    order: 'asc',
  },
} satisfies Sorts;

export const listSourceRows = (filter: {
  active: boolean | undefined;
  collectionId: string | undefined;
  query: string | undefined;
}): Listing<SourceRow> => ({
  columns: SOURCE_COLUMNS,
  from: 'sources',
  filters: [
    ['is_active = ?', filter.active],
    ['collection_id = ?', filter.collectionId],
    ['strpos(lower(name), ?) > 0 OR strpos(lower(url), ?) > 0', filter.query],
  ],
});

export async function findSource(sql: Sql, id: string): Promise<SourceRow | undefined> {
  return (await sql.query<SourceRow>(`SELECT ${SOURCE_COLUMNS} FROM sources WHERE id = $1`, [id]))[0];
}

const values = (id: string, fields: SourceFields) => [
  id,
  fields.name,
  fields.url,
  fields.crawl_config_id,
  fields.collection_id,
  JSON.stringify(fields.options),
  fields.schedule_cron,
  fields.time_zone,
  fields.is_active,
  fields.next_run_at,
  fields.headers === undefined ? null : JSON.stringify(fields.headers),
];

export interface SourceOwner {
  createdBy: string;
  userId: string | undefined;
}

export async function insertSource(sql: Sql, id: string, fields: SourceFields, owner: SourceOwner): Promise<SourceRow> {
  const rows = await sql.query<SourceRow>(
    `INSERT INTO sources (id, name, url, crawl_config_id, collection_id, options, schedule_cron, time_zone, is_active, next_run_at, headers, created_by, user_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11::jsonb, '{}'), $12, $13) RETURNING ${SOURCE_COLUMNS}`,
    [...values(id, fields), owner.createdBy, owner.userId ?? null],
  );
  return rows[0]!;
}

/** A run that is due stays so while the schedule is the same. */
export async function updateSourceRow(sql: Sql, id: string, fields: SourceFields): Promise<SourceRow | undefined> {
  const rows = await sql.query<SourceRow>(
    `UPDATE sources SET name = $2, url = $3, crawl_config_id = $4, collection_id = $5, options = $6, schedule_cron = $7,
       time_zone = $8, is_active = $9, headers = coalesce($11::jsonb, headers), updated_at = now(), last_error = NULL,
       next_run_at = CASE WHEN is_active AND $9 AND schedule_cron = $7 AND time_zone = $8 THEN next_run_at ELSE $10 END
     WHERE id = $1 RETURNING ${SOURCE_COLUMNS}`,
    values(id, fields),
  );
  return rows[0];
}

export async function deleteSourceRow(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query('DELETE FROM sources WHERE id = $1 RETURNING id', [id])).length === 1;
}
