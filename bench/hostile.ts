import { parseArgs } from 'node:util';
import { startCrawl } from '../src/operations/start-crawl.ts';
import { createHostileSite } from '../test/support/hostile-site.ts';
import { type Cluster, sleep, startCluster } from './cluster.ts';
import { HOSTILE_PAGES, startHostilePages } from './hostile-pages.ts';
import { startMeter } from './measure.ts';
import { startSite } from './start-process.ts';

/**
 * Hostile sites beside good ones. One worker crawls twenty polite hosts, first alone, then while other domains send
 * bombs, endless bodies, floods, loops and traps. Every hostile address must end with a code, the worker must stay
 * small, and the good hosts must not notice.
 *
 *   --pages N     pages of each good host (60)
 *   --minutes N   gives up on a phase after this time (5)
 */
const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '60' },
    minutes: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const HOSTS = 20;
const pages = Number(values.pages);

const WIRE = [
  ...['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip'].map(
    (encoding) => `/bomb?encoding=${encodeURIComponent(encoding)}`,
  ),
  '/endless',
  '/drip',
  '/silent',
  '/drip-headers',
  '/header-flood',
  '/header-endless',
  '/length-too-long',
  '/length-huge',
  '/not-http',
  '/switch',
  '/reset',
  '/loop',
  '/redirect-endless?to=/ok',
  '/bytes?count=50000000',
];

/** Crawls one half of the good hosts and returns pages per second. */
async function crawlGood(cluster: Cluster, origins: readonly string[]): Promise<number> {
  const started = performance.now();
  const ids: string[] = [];
  for (const origin of origins) ids.push(await cluster.crawl(`${origin}/page/0`, pages));
  for (;;) {
    const [row] = await cluster.app.database.query<{ open: number; crawled: number }>(
      `SELECT count(*) FILTER (WHERE status IN ('pending', 'running'))::int AS open, sum(pages_crawled)::int AS crawled
       FROM crawls WHERE id = ANY($1::uuid[])`,
      [ids],
    );
    const seconds = (performance.now() - started) / 1_000;
    if (row?.open === 0) return row.crawled / seconds;
    if (seconds > Number(values.minutes) * 60) throw new Error('the good hosts were not crawled in time');
    await sleep(100);
  }
}

await using site = await startSite(['--pages', values.pages, '--hosts', String(2 * HOSTS), '--crawl-delay', '0.2']);
await using wire = await createHostileSite({ host: '127.0.1.1' });
await using inside = await startHostilePages('127.0.1.2');
await using cluster = await startCluster({
  FETCH__TIMEOUT_MS: '5000',
  WORKER__PARSE_TIMEOUT_MS: '5000',
  JOB__RETRY_DELAYS_S: '1',
  JOB__MAX_RETRIES: '1',
});
const worker = cluster.startWorker();
await crawlGood(cluster, site.ready.origins.slice(0, 1));
const meter = startMeter(worker.pid!);

const alone = await crawlGood(cluster, site.ready.origins.slice(1, HOSTS));
const hostile = [
  (await startCrawl(cluster.app, { urls: WIRE.map((path) => `http://127.0.1.1:${wire.port}${path}`) })).id,
  (await startCrawl(cluster.app, { urls: HOSTILE_PAGES.map((path) => inside.origin + path) })).id,
  await cluster.crawl(`${inside.origin}/trap`, 300),
];
const beside = await crawlGood(cluster, site.ready.origins.slice(HOSTS + 1, 2 * HOSTS));
const settled = await cluster.settle(Number(values.minutes) * 60_000);
const { peak_rss_mb } = meter.stop();

const tasks = await cluster.app.database.query<{ url: string; status: string; code: string | null }>(
  `SELECT url, status, code FROM tasks WHERE crawl_id = ANY($1::uuid[]) AND url NOT LIKE '%/trap%' ORDER BY url`,
  [hostile],
);
for (const { url, status, code } of tasks) console.error(`${status.padEnd(10)} ${(code ?? '').padEnd(24)} ${url}`);
console.log(
  JSON.stringify({
    good_pages_per_second: { alone: round(alone), beside: round(beside) },
    speed_kept: round(beside / alone),
    peak_rss_mb,
    hostile_addresses: tasks.length,
    without_end: tasks.filter(({ status }) => !['completed', 'failed', 'skipped'].includes(status)).length,
    codes: Object.fromEntries(
      [...Map.groupBy(tasks, ({ status, code }) => code ?? status)].map(([code, each]) => [code, each.length]),
    ),
    worker_alive: worker.exitCode === null && worker.signalCode === null,
    settled,
  }),
);

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
