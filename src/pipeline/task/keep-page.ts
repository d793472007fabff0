import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import { loadLinks } from '../../db/pages/pages.ts';
import { hashUrl, parseUrl } from '../../web/url.ts';
import { admitLinks } from '../frontier/admit-links.ts';
import type { CrawlContext } from '../frontier/crawl-context.ts';
import type { PageOutcome } from '../outcome.ts';
import type { PipelineDeps } from '../pipeline.ts';
import { emptyPage } from './empty-page.ts';

/** 304: a visit without news. The links the page had are followed as if it had been read again. */
export async function keepPage(
  deps: PipelineDeps,
  task: ClaimedTask,
  crawl: CrawlContext,
  { url, latencyMs }: { url: string; latencyMs: number },
): Promise<PageOutcome> {
  const final = parseUrl(url);
  const links = crawl.row.max_depth === 0 ? [] : await loadLinks(deps.sql, task.url_hash);
  return {
    ...admitLinks(links, { crawl, parentId: task.id, depth: task.depth + 1 }, deps.traps, deps.limits),
    task,
    crawl,
    result: {
      status: 'completed',
      code: null,
      message: null,
      http_status: 304,
      response_ms: Math.round(latencyMs),
      raw_meta: null,
      delay_ms: 0,
      failed: 0,
    },
    page: emptyPage(task, { status: 'fetched', http_status: 304, error_code: null, visited: true }),
    unchanged: hashUrl(final.ok ? final.url : task.url).toString('hex'),
    feedback: { ok: true, latencyMs },
  };
}
