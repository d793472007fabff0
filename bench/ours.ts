import { createApp } from '../src/app.ts';
import { loadSettings } from '../src/config/load.ts';
import { startDeepCrawl } from '../src/operations/crawls/start-crawl.ts';
import { runWorker } from '../src/roles/worker.ts';
import { runPeer } from './peer.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/**
 * crawl4r's worker over an empty data folder: raw responses, pages, documents, links and tasks are on disk when a page
 * counts as crawled. The same code as `crawl4r worker`, in one process; PostgreSQL is a second one. Nothing is switched
 * off but the delay between requests, which the other crawlers do not have.
 */
await using folder = await createTemporaryFolder('bench');
const { settings } = loadSettings({
  DATA_DIR: folder.path,
  LOG_LEVEL: 'warn',
  GUARD__ALLOW: '127.0.0.0/8',
  RATE_LIMIT__DEFAULT_RPS: '0',
  WORKER__DOMAIN_CONCURRENCY: '1000',
  FRONTIER__MAX_NEW_URLS_PER_SECOND: '0',
  FEATURES__MAX_PAGES_PER_DEEP_CRAWL: '0',
});
{
  await using app = await createApp(settings);
  await runPeer(async (origin, maxPages) => {
    const stop = new AbortController();
    const working = runWorker(app, stop.signal);
    const { id } = await startDeepCrawl(app, { url: `${origin}/page/0`, max_depth: 100, max_pages: maxPages });
    let crawled = 0;
    for (let open = true; open; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const [row] = await app.database.query<{ status: string; pages_crawled: number }>(
        'SELECT status, pages_crawled FROM crawls WHERE id = $1',
        [id],
      );
      open = row === undefined || row.status === 'pending' || row.status === 'running';
      crawled = row?.pages_crawled ?? 0;
    }
    stop.abort();
    await working;
    return crawled;
  });
}
