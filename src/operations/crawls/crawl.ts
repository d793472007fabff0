import { z } from 'zod';
import { CrawlOptions } from '../../db/crawls/crawl-options.ts';
import type { CrawlRow } from '../../db/crawls/crawls.ts';
import { CRAWL_STATUSES } from '../../db/crawls/states.ts';
import { Id, Time } from '../schemas.ts';
import { HeaderView, viewHeaders } from './crawl-headers.ts';

export const CrawlStatus = z.enum(CRAWL_STATUSES);

export const Crawl = z
  .object({
    id: Id,
    job_id: Id.describe('Another name for id.'),
    kind: z.enum(['urls', 'batch', 'deep', 'source', 'recurring', 'import']),
    status: CrawlStatus,
    urls: z.array(z.string()),
    strategy: z.enum(['bfs', 'dfs', 'best_first']),
    max_depth: z.number().int(),
    max_pages: z.number().int(),
    priority: z.number().int(),
    keywords: z.array(z.string()).describe('What best_first looks for.'),
    score_threshold: z.number().describe('Links that score less are left out.'),
    options: CrawlOptions.describe('As in force: the config’s, with those of the request over them.'),
    pages_discovered: z.number().int(),
    pages_crawled: z.number().int(),
    pages_failed: z.number().int(),
    pages_skipped: z.number().int(),
    pages_cancelled: z.number().int(),
    visits_planned: z.number().int().describe('Further visits of a recurring crawl whose time has not come.'),
    progress: z.number().describe('Share of the discovered pages that are done, 0 to 100.'),
    current_depth: z.number().int(),
    links_refused: z
      .record(z.string(), z.object({ count: z.number().int(), samples: z.array(z.string()) }))
      .describe('Links that did not enter the crawl, by reason.'),
    source_id: Id.nullable(),
    config_id: Id.nullable(),
    collection_id: Id.nullable(),
    tags: z.array(z.string()),
    ...HeaderView,
    error: z.string().nullable(),
    error_code: z.string().nullable(),
    created_by: z.string(),
    owner: z
      .object({
        kind: z.enum(['user', 'key']),
        id: Id,
        name: z
          .string()
          .nullable()
          .describe('The address of the person, or the name of the key; null when it is gone.'),
      })
      .nullable()
      .describe(
        'Who started it: the person, also where that was by a key; else the key. Null: the installation itself.',
      ),
    created_at: Time,
    started_at: Time.nullable(),
    completed_at: Time.nullable(),
  })
  .meta({ id: 'Crawl' });

export type Crawl = z.infer<typeof Crawl>;

export function toCrawl(row: CrawlRow): Crawl {
  const done = row.pages_crawled + row.pages_failed + row.pages_skipped + row.pages_cancelled;
  const progress =
    row.pages_discovered === 0 ? 0 : Math.min(100, Math.round((done / row.pages_discovered) * 1000) / 10);
  return {
    id: row.id,
    job_id: row.id,
    kind: row.kind,
    status: row.status,
    urls: row.urls,
    strategy: row.strategy,
    max_depth: row.max_depth,
    max_pages: row.max_pages,
    priority: row.priority,
    keywords: row.keywords,
    score_threshold: row.score_threshold,
    options: row.options,
    pages_discovered: row.pages_discovered,
    pages_crawled: row.pages_crawled,
    pages_failed: row.pages_failed,
    pages_skipped: row.pages_skipped,
    pages_cancelled: row.pages_cancelled,
    visits_planned: row.visits_planned,
    progress,
    current_depth: row.current_depth,
    links_refused: row.links_refused,
    source_id: row.source_id,
    config_id: row.crawl_config_id,
    collection_id: row.collection_id,
    tags: row.tags,
    ...viewHeaders(row.headers),
    error: row.error,
    error_code: row.error_code,
    created_by: row.created_by,
    owner: ownerOf(row),
    created_at: row.created_at,
    started_at: row.started_at,
    completed_at: row.completed_at,
  };
}

function ownerOf({ user_id, owner, owner_name: name, created_by }: CrawlRow): Crawl['owner'] {
  if (user_id !== null) return { kind: 'user', id: user_id, name };
  if (owner === null) return null;
  return { kind: created_by.startsWith('key:') ? 'key' : 'user', id: owner, name };
}
