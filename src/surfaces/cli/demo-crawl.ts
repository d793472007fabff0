import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../app.ts';
import { findCrawlOf } from '../../db/crawls.ts';
import { type DemoSite, startDemoSite } from '../../demo/server.ts';
import { getCrawl } from '../../operations/get-crawl.ts';
import { startDeepCrawl } from '../../operations/start-crawl.ts';
import { taskStats } from '../../operations/task-stats.ts';
import { createProgressView } from './progress.ts';
import { talk } from './terminal.ts';

const POLL_MS = 500;

/** The demo site, on the port it had before: a crawl of it that was cut short goes on where it was. */
export async function openDemo(dataDir: string): Promise<DemoSite> {
  const file = join(dataDir, 'demo-port');
  mkdirSync(dataDir, { recursive: true });
  const known = readPort(file);
  const site = await startDemoSite({ port: known }).catch(() => startDemoSite());
  if (site.port !== known) writeFileSync(file, String(site.port));
  return site;
}

/** Crawls the demo site if that was not done before, and tells how it goes and how it ended. */
export async function watchDemo(app: App, origin: string, signal: AbortSignal): Promise<void> {
  const url = `${origin}/`;
  const known = await findCrawlOf(app.database, url);
  const id = known ?? (await startDemo(app, url));
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
  const crawl = await startDeepCrawl(
    app,
    { url, max_depth: 10, max_pages: 1_000, options: { rate_limit_rps: 50, use_sitemap: true } },
    'demo',
  );
  return crawl.id;
}

function readPort(file: string): number {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || 0;
  } catch {
    return 0;
  }
}
