import { parseArgs } from 'node:util';
import { startCrawl } from '../src/operations/crawls/start-crawl.ts';
import { type Cluster, sleep, startCluster } from './cluster.ts';
import type { HostileReady } from './hostile-server.ts';
import { startMeter } from './measure.ts';
import { startScript, startSite } from './start-process.ts';

/**
 * Hostile sites beside good ones. One worker crawls good hosts, alone and then while a wave of other domains after the
 * other sends bombs, endless bodies, floods, loops and traps; the two take turns, on new hosts each time. Every hostile
 * address must end with a code, the worker must stay small, and the good hosts must not notice. All domains have the
 * same rate. Good and hostile sites are processes of their own with answers made before; their CPU time is reported.
 *
 *   --hosts N     good hosts in each round (20)
 *   --pages N     pages of each (60)
 *   --rps N       requests per second to each domain, good or hostile (5)
 *   --rounds N    pairs of rounds (2)
 *   --every S     seconds between waves of 29 hostile domains while the good hosts are crawled (5)
 *   --minutes N   gives up on a round after this time (5)
 */
const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '20' },
    pages: { type: 'string', default: '60' },
    rps: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '2' },
    every: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const hosts = Number(values.hosts);
const rounds = Number(values.rounds);
const limitMs = Number(values.minutes) * 60_000;
const MAX_WAVES = 6;
/** Pages of a trap that a crawl may take. */
const TRAP_PAGES = 40;

/** Crawls good hosts and returns pages per second. */
async function crawlGood(cluster: Cluster, origins: readonly string[]): Promise<number> {
  const started = performance.now();
  const ids: string[] = [];
  for (const origin of origins) ids.push(await cluster.crawl(`${origin}/page/0`, Number(values.pages)));
  for (;;) {
    const [row] = await cluster.app.database.query<{ open: number; crawled: number }>(
      `SELECT count(*) FILTER (WHERE status IN ('pending', 'running'))::int AS open, sum(pages_crawled)::int AS crawled
       FROM crawls WHERE id = ANY($1::uuid[])`,
      [ids],
    );
    const ms = performance.now() - started;
    if (row?.open === 0) return (row.crawled / ms) * 1_000;
    if (ms > limitMs) throw new Error('the good hosts were not crawled in time');
    await sleep(100);
  }
}

/** Starts wave after wave until it is stopped; returns the crawls. */
async function attack(cluster: Cluster, waves: HostileReady['waves'], signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for (const { urls, trap } of waves) {
    ids.push((await startCrawl(cluster.app, { urls })).id);
    await cluster.crawl(trap, TRAP_PAGES);
    for (let waited = 0; waited < Number(values.every) * 1_000 && !signal.aborted; waited += 100) await sleep(100);
    if (signal.aborted) break;
  }
  return ids;
}

const siteArgs = ['--pages', values.pages, '--hosts', String(2 * rounds * hosts + 1)];
await using site = await startSite(siteArgs);
await using enemy = await startScript<HostileReady>('hostile-server.ts', ['--waves', String(rounds * MAX_WAVES)]);
await using cluster = await startCluster({
  RATE_LIMIT__DEFAULT_RPS: values.rps,
  FETCH__TIMEOUT_MS: '5000',
  WORKER__PARSE_TIMEOUT_MS: '5000',
  JOB__RETRY_DELAYS_S: '1',
  JOB__MAX_RETRIES: '1',
});
const worker = cluster.startWorker();
const origins = site.ready.origins.toReversed();
const nextHosts = (count: number) => origins.splice(0, count);
await crawlGood(cluster, nextHosts(1));

const meter = startMeter(worker.pid!);
const siteMeter = startMeter(site.process.pid!, 1_000);
const enemyMeter = startMeter(enemy.process.pid!, 1_000);
const alone: number[] = [];
const beside: number[] = [];
const crawls: string[] = [];
let aloneRssMb = 0;
let settled = true;
for (let round = 0; round < rounds; round++) {
  const quiet = startMeter(worker.pid!);
  alone.push(await crawlGood(cluster, nextHosts(hosts)));
  if (round === 0) aloneRssMb = quiet.stop().peak_rss_mb;
  else quiet.stop();
  const over = new AbortController();
  const waves = enemy.ready.waves.splice(0, MAX_WAVES);
  const attacking = attack(cluster, waves, over.signal);
  beside.push(await crawlGood(cluster, nextHosts(hosts)));
  over.abort();
  crawls.push(...(await attacking));
  settled = (await cluster.settle(limitMs)) && settled;
}
const cost = meter.stop();

const tasks = await cluster.app.database.query<{ url: string; status: string; code: string | null }>(
  'SELECT url, status, code FROM tasks WHERE crawl_id = ANY($1::uuid[]) ORDER BY split_part(url, $2, 4), url',
  [crawls, '/'],
);
const ends = Map.groupBy(
  tasks,
  ({ url, status, code }) =>
    `${status.padEnd(10)} ${(code ?? '').padEnd(20)} ${new URL(url).pathname}${new URL(url).search}`,
);
for (const [end, each] of ends) console.error(`${String(each.length).padStart(3)} ${end}`);
console.log(
  JSON.stringify({
    good_pages_per_second: { alone: alone.map(round2), beside: beside.map(round2) },
    speed_kept: round2(sum(beside) / sum(alone)),
    peak_rss_mb: { alone: aloneRssMb, in_all: cost.peak_rss_mb },
    rss_counts: 'the worker and its child processes; not PostgreSQL, not the sites',
    cpu_seconds: {
      worker: round2(cost.cpu_seconds),
      good_sites: siteMeter.stop().cpu_seconds,
      hostile_sites: enemyMeter.stop().cpu_seconds,
    },
    good_hosts: hosts,
    hostile_waves: crawls.length,
    hostile_addresses: tasks.length,
    without_end: tasks.filter(({ status }) => !['completed', 'failed', 'skipped'].includes(status)).length,
    codes: Object.fromEntries(
      [...Map.groupBy(tasks, ({ status, code }) => code ?? status)].map(([code, each]) => [code, each.length]),
    ),
    worker_alive: worker.exitCode === null && worker.signalCode === null,
    settled,
  }),
);

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
