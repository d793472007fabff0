import { z } from 'zod';
import type { JobView } from '../../db/jobs/job-views.ts';
import { DISCOVER_SOURCES } from '../../pipeline/discover/types.ts';
import { JobStatus } from '../admin/job.ts';
import { Id, Time } from '../schemas.ts';

const Site = z
  .string()
  .trim()
  .min(1)
  .max(2_048)
  .refine((site) => URL.canParse(/^https?:\/\//i.test(site) ? site : `https://${site}`), 'is no host name or address');

/** What to look for, and where. */
export const DiscoveryInput = z
  .strictObject({
    domain: Site.describe('A host name, or an address on it.'),
    sources: z.array(z.enum(DISCOVER_SOURCES)).min(1).default(['sitemap']).describe('Asked in this order.'),
    pattern: z
      .string()
      .max(1_000)
      .optional()
      .describe('Keep addresses that match: * stands for anything, | separates alternatives.'),
    max_urls: z.number().int().min(1).max(50_000).default(500),
    score_query: z.string().trim().min(1).max(1_000).optional().describe('Keep what fits these words best.'),
    score_threshold: z.number().min(0).max(1).default(0.3).describe('With score_query: what scores less is left out.'),
  })
  .meta({ id: 'DiscoveryInput' });

const FoundUrl = z.object({
  url: z.string(),
  source: z.enum(DISCOVER_SOURCES),
  last_modified: z.string().nullable(),
  change_frequency: z.string().nullable(),
  priority: z.number().nullable(),
  title: z.string().nullable(),
  language: z.string().nullable(),
  score: z.number().nullable(),
});
export type FoundUrl = z.output<typeof FoundUrl>;

const Problem = z.object({ url: z.string(), code: z.string(), message: z.string() });

/** What a finished discovery leaves in its job row. */
export const DiscoveryResult = z.object({
  urls: z.array(FoundUrl),
  examined: z.number().int(),
  left_out: z.number().int().default(0),
  limit: z.enum(['urls', 'time']).nullable(),
  problems: z.array(Problem),
});

/** A look for the addresses of a site. */
export const Discovery = z
  .object({
    id: Id,
    job_id: Id.describe('Another name for id.'),
    domain: z.string(),
    sources: z.array(z.enum(DISCOVER_SOURCES)),
    pattern: z.string().nullable(),
    max_urls: z.number().int(),
    score_query: z.string().nullable(),
    score_threshold: z.number(),
    status: JobStatus,
    urls_found: z.number().int(),
    result: z.array(z.string()).nullable().describe('The addresses, once it is done.'),
    urls: z.array(FoundUrl).nullable().describe('The same with all that is known about each.'),
    examined: z.number().int().nullable().describe('Addresses seen before filters.'),
    left_out: z
      .number()
      .int()
      .nullable()
      .describe('Addresses of sitemaps that were read and left out because max_urls was reached.'),
    limit: z.enum(['urls', 'time']).nullable().describe('The limit that ended it, if one did.'),
    problems: z.array(Problem).describe('Parts that could not be read, and why.'),
    error_code: z.string().nullable(),
    error: z.string().nullable(),
    created_at: Time,
    completed_at: Time.nullable(),
  })
  .meta({ id: 'Discovery' });
export type Discovery = z.output<typeof Discovery>;

const Progress = z.object({ urls_found: z.number().int() }).catch({ urls_found: 0 });

export function toDiscovery(job: JobView): Discovery {
  const input = DiscoveryInput.parse(job.payload);
  const result = job.result === null ? undefined : DiscoveryResult.parse(job.result);
  return {
    id: job.id,
    job_id: job.id,
    domain: input.domain,
    sources: input.sources,
    pattern: input.pattern ?? null,
    max_urls: input.max_urls,
    score_query: input.score_query ?? null,
    score_threshold: input.score_threshold,
    status: job.status,
    urls_found: result?.urls.length ?? Progress.parse(job.progress).urls_found,
    result: result?.urls.map(({ url }) => url) ?? null,
    urls: result?.urls ?? null,
    examined: result?.examined ?? null,
    left_out: result?.left_out ?? null,
    limit: result?.limit ?? null,
    problems: result?.problems ?? [],
    error_code: job.error_code,
    error: job.error,
    created_at: job.created_at,
    completed_at: job.completed_at,
  };
}
