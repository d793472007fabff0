import { z } from 'zod';

const patterns = (what: string) =>
  z.array(z.string().min(1).max(500)).max(100).optional().describe(`${what} * stands for anything.`);

/** How a crawl behaves: kept under a name as a config, or given with a single crawl, which wins. */
export const CrawlOptions = z
  .strictObject({
    strategy: z.enum(['bfs', 'dfs', 'best_first']).optional(),
    max_depth: z.number().int().min(0).max(100).optional().describe('0 is the given pages alone.'),
    max_pages: z.number().int().min(1).max(1_000_000).optional(),
    scope: z
      .enum(['origin', 'host', 'domain', 'any'])
      .optional()
      .describe('Which links are followed: same origin, same host, same registrable domain, or all.'),
    include: patterns('Only addresses that match one of these are followed.'),
    exclude: patterns('Addresses that match one of these are not followed.'),
    render: z.enum(['never', 'auto', 'always']).optional().describe('Whether pages run in a browser.'),
    languages: z.array(z.string().min(1).max(20)).max(50).optional(),
    headers: z.record(z.string().max(100), z.string().max(4_000)).optional(),
    rate_limit_rps: z.number().positive().max(1_000).optional().describe('Never faster than the domain allows.'),
    page_timeout_ms: z.number().int().min(100).max(300_000).optional(),
    max_page_size_mb: z.number().positive().max(50).optional(),
    max_redirects: z.number().int().min(0).max(20).optional(),
    only_main_content: z.boolean().optional(),
    include_selectors: z.array(z.string().min(1).max(500)).max(50).optional(),
    exclude_selectors: z.array(z.string().min(1).max(500)).max(50).optional(),
    chunking_strategy: z.enum(['markdown', 'sentence', 'sliding_window']).optional(),
    chunk_size: z.number().int().min(16).max(8_192).optional().describe('Tokens.'),
    chunk_overlap: z.number().int().min(0).max(4_096).optional(),
    min_chunk_size: z.number().int().min(0).max(4_096).optional(),
  })
  .meta({ id: 'CrawlOptions' });

export type CrawlOptions = z.output<typeof CrawlOptions>;
