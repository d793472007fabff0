import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pick, sleep, startCluster } from './cluster.ts';
import { startSite } from './start-process.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/**
 * Politeness audit. A site on many hosts asks for a delay between requests and forbids a folder it links to; several
 * workers crawl all of it while some of them are killed. The site's own log of arrivals is the judge. `share_of_rate` is how
 * much of the allowed rate the median host saw, from its first request to its last. With `--hosts 1 --kills 0` that is
 * what workers make of a domain they share.
 *
 *   --fetches N   requests to see in all (20000)
 *   --hosts N     domains (40)
 *   --workers N   worker processes (4)
 *   --delay S     Crawl-delay in seconds (0.25)
 *   --kills N     kill -9 of a random worker, spread evenly over the pages (40)
 *   --minutes N   gives up after this time (15)
 */
const { values } = parseArgs({
  options: {
    fetches: { type: 'string', default: '20000' },
    hosts: { type: 'string', default: '40' },
    workers: { type: 'string', default: '4' },
    delay: { type: 'string', default: '0.25' },
    kills: { type: 'string', default: '40' },
    minutes: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const fetches = Number(values.fetches);
const hosts = Number(values.hosts);
const delayMs = Number(values.delay) * 1_000;
const killEvery = fetches / (Number(values.kills) + 1);
const pages = Math.ceil(fetches / hosts);

interface Arrival {
  /** Milliseconds since 1970. */
  t: number;
  h: string;
  p: string;
}

await using folder = await createTemporaryFolder('politeness');
const log = join(folder.path, 'arrivals.jsonl');
const siteArgs = ['--pages', pages, '--hosts', hosts, '--crawl-delay', values.delay, '--log', log].map(String);
await using site = await startSite([...siteArgs, '--disallow']);
await using cluster = await startCluster({ WORKER__LEASE_S: '10', WORKER__HEARTBEAT_S: '2' });

const started = performance.now();
for (const origin of site.ready.origins) await cluster.crawl(`${origin}/page/0`, 2 * pages);
for (let number = 0; number < Number(values.workers); number++) cluster.startWorker();

let kills = 0;
let finished = false;
const settled = cluster.settle(Number(values.minutes) * 60_000).then((result) => {
  finished = true;
  return result;
});
while (!finished) {
  await sleep(200);
  const [row] = await cluster.app.database.query<{ crawled: number }>(
    'SELECT sum(pages_crawled)::int AS crawled FROM crawls',
  );
  if (kills >= Number(values.kills) || (row?.crawled ?? 0) < (kills + 1) * killEvery) continue;
  const victim = pick(cluster.workers);
  if (victim !== undefined) await cluster.kill(victim);
  cluster.startWorker();
  kills++;
}
const completed = await settled;
await sleep(300);

const arrivals = readFileSync(log, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Arrival);
const early: string[] = [];
let smallest = Number.POSITIVE_INFINITY;
const shares: number[] = [];
for (const visits of Map.groupBy(arrivals, ({ h }) => h).values()) {
  const inOrder = visits.toSorted((a, b) => a.t - b.t);
  shares.push(((inOrder.length - 1) * delayMs) / (inOrder.at(-1)!.t - inOrder[0]!.t));
  for (const [index, visit] of inOrder.entries()) {
    const before = inOrder[index - 1];
    const gap = visit.t - (before?.t ?? Number.NEGATIVE_INFINITY);
    smallest = Math.min(smallest, gap);
    if (gap < delayMs) early.push(`${visit.h}: ${before?.p} then ${visit.p} after ${gap.toFixed(1)} ms`);
  }
}
for (const line of early.slice(0, 20)) console.error(line);
console.log(
  JSON.stringify({
    requests: arrivals.length,
    hosts,
    workers: Number(values.workers),
    kills,
    delay_ms: delayMs,
    early: early.length,
    smallest_gap_ms: Math.round(smallest * 10) / 10,
    share_of_rate: Math.round(shares.toSorted((a, b) => a - b)[shares.length >> 1]! * 100) / 100,
    disallowed: arrivals.filter(({ p }) => p.startsWith('/private/')).length,
    completed,
    seconds: Math.round((performance.now() - started) / 100) / 10,
  }),
);
if (early.length > 0 || !completed) process.exitCode = 1;
