import type { App } from '../../app.ts';
import { findCrawlOf } from '../../db/crawls/crawls.ts';
import type { SharedSite } from '../../demo/shared-site.ts';
import { getCrawl } from '../../operations/crawls/get-crawl.ts';
import { startDeepCrawl } from '../../operations/crawls/start-crawl.ts';
import { updateDomain } from '../../operations/domains/update-domain.ts';
import { taskStats } from '../../operations/tasks/task-stats.ts';
import { createProgressView } from './progress.ts';
import { talk } from './terminal.ts';

const POLL_MS = 500;

/** Crawls the demo site if that was not done before, and prints its progress and its end. */
export async function watchDemo(app: App, site: SharedSite, signal: AbortSignal): Promise<void> {
  const url = `${site.origin}/`;
  let id = await findCrawlOf(app.database, url);
  // Of several processes the one that serves the site starts its crawl; the others watch.
  while (id === undefined && !signal.aborted) {
    if (site.isServer) id = await startDemo(app, url);
    else await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    id ??= await findCrawlOf(app.database, url);
  }
  if (id === undefined) return;
  const view = createProgressView(process.stderr);
  for (;;) {
    const crawl = await getCrawl(app, id);
    view.show(crawl);
    if (signal.aborted || !['pending', 'running'].includes(crawl.status)) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  view.end();
  if (signal.aborted) return;
  const crawl = await getCrawl(app, id);
  const { by_code } = await taskStats(app, { crawl_id: id });
  const reasons = [
    ...Object.entries(by_code),
    ...Object.entries(crawl.links_refused).map(([code, { count }]) => [code, count] as const),
  ];
  talk(
    `The demo crawl is ${crawl.status}: ${crawl.pages_crawled} pages read, ${crawl.pages_skipped} skipped, ${crawl.pages_failed} failed.`,
  );
  talk(`Not fetched, and why: ${reasons.map(([code, count]) => `${code} ${count}`).join(', ')}.`);
  talk('Try: bin/crawl4r search "how do I reset the sensor"');
}

async function startDemo(app: App, url: string): Promise<string> {
  // It is our own site: a person who looks on need not wait as for a stranger's.
  await updateDomain(app, new URL(url).host, { rate_limit_rps: 50 });
  const crawl = await startDeepCrawl(
    app,
    { url, max_depth: 10, max_pages: 1_000, options: { use_sitemap: true } },
    'demo',
  );
  return crawl.id;
}
