import { z } from 'zod';
import { Id, Time } from '../schemas.ts';

export const PageStatus = z.enum(['never_crawled', 'fetched', 'failed', 'blocked']);

/** What is known about an address. */
export const PageSummary = z
  .object({
    id: Id,
    url: z.string(),
    domain: z.string(),
    status: PageStatus,
    http_status: z.number().int().nullable(),
    final_url: z.string().nullable(),
    content_type: z.string().nullable(),
    content_length: z.number().int().nullable(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    language: z.string().nullable(),
    canonical_url: z.string().nullable().describe('Another address of its domain that it says its content belongs to.'),
    duplicate_of: Id.nullable(),
    links_count: z.number().int(),
    visits: z.number().int(),
    changes: z.number().int(),
    error_count: z.number().int(),
    error_code: z.string().nullable(),
    fetch_ms: z.number().int().nullable(),
    discovered_at: Time,
    last_crawled_at: Time.nullable(),
    last_changed_at: Time.nullable(),
    next_crawl_at: Time.nullable(),
  })
  .meta({ id: 'Page' });
export type PageSummary = z.output<typeof PageSummary>;
