import { z } from 'zod';

const MAX_ALTERNATIVES = 500;
/** Each alternative is held against every link of every page, so their number is bounded over all patterns. */
const Patterns = z
  .array(z.string().max(500))
  .max(100)
  .refine((list) => list.join('|').split('|').length <= MAX_ALTERNATIVES, {
    error: `at most ${MAX_ALTERNATIVES} alternatives (parted by |) in all patterns together`,
  });

/** How a crawl behaves, as it is stored and shown. Headers are not in it: see stored-headers.ts. */
export const CrawlOptions = z
  .strictObject({
    strategy: z.enum(['bfs', 'dfs', 'best_first']).optional(),
    max_depth: z
      .number()
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe('How many links away from the start; 0 is the start alone.'),
    max_pages: z.number().int().min(1).optional(),
    scope: z
      .enum(['domain', 'host', 'path', 'any'])
      .optional()
      .describe('Where links may lead: the same site (default), host, folder, or anywhere.'),
    include_patterns: Patterns.optional().describe(
      'Only addresses that match one; * stands for anything, a pattern that starts with / is held against the path.',
    ),
    exclude_patterns: Patterns.optional(),
    follow_nofollow: z.boolean().optional(),
    use_sitemap: z.boolean().optional().describe('Also start from the site’s sitemaps.'),
    rate_limit_rps: z
      .number()
      .min(0)
      .max(1000)
      .optional()
      .describe('Requests per second to a domain, where that is less than the domain allows; for this crawl alone.'),
    respect_robots_txt: z.boolean().optional(),
    render: z
      .enum(['never', 'auto', 'always'])
      .optional()
      .describe('Whether a browser runs the page’s scripts; auto: when it is empty without.'),
    wait_for: z.string().max(500).optional().describe('Where a browser runs: a CSS selector that has to match first.'),
    page_timeout_ms: z.number().int().min(100).max(300_000).optional(),
    max_page_size_mb: z.number().min(0.001).max(100).optional(),
    max_redirects: z.number().int().min(0).max(20).optional(),
    max_age_s: z.number().int().min(0).optional().describe('Reuse what was fetched at most this long ago.'),
    languages: z.array(z.string().max(10)).max(50).optional().describe('Languages whose pages are kept; * for all.'),
    only_main_content: z.boolean().optional(),
    include_selectors: z.array(z.string().max(500)).max(50).optional(),
    exclude_selectors: z.array(z.string().max(500)).max(50).optional(),
    products: z.boolean().optional(),
    chunking_strategy: z.enum(['markdown', 'sentence', 'sliding_window']).optional(),
    chunk_size: z
      .number()
      .int()
      .min(16)
      .max(8_192)
      .optional()
      .describe(
        'Tokens a chunk has at most, title and heading included; more than the model reads at once is refused. No chunk exceeds 10 KB.',
      ),
    chunk_overlap: z.number().int().min(0).max(4_096).optional(),
    min_chunk_size: z.number().int().min(0).max(4_096).optional(),
    recurring: z.boolean().optional().describe('Plan the next visit of each page after it was fetched.'),
    interval_s: z
      .number()
      .int()
      .min(60)
      .optional()
      .describe('Time between visits to start with; it adapts to how often a page changes.'),
    max_retries: z.number().int().min(0).max(20).optional(),
    page_events: z.boolean().optional().describe('Write an event for each page, besides those of the crawl.'),
  })
  .meta({ id: 'CrawlOptions' });

export type CrawlOptions = z.infer<typeof CrawlOptions>;
