import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCrawl } from '../src/operations/crawls/start-crawl.ts';
import { updateDomain } from '../src/operations/domains/update-domain.ts';
import { pick, sleep, startCluster } from './cluster.ts';
import { judge, type Promised, type Seen } from './polite-log.ts';
import { pagePath } from './site-pages.ts';
import { startSite } from './start-process.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/**
 * Politeness audit. A site on many hosts answers slowly. Half of them ask for a delay in robots.txt: one request at a time, each
 * the delay after the answer before it. The others have a rate: starts keep apart, answers may take their time, up to a number
 * under way. All forbid a folder they link to, and some pages have moved, to the same host or to another. Several workers crawl
 * all of it while some of them are killed. The site's own log is the judge. `share_of_rate` is how much of the allowed rate the
 * median host with a rate saw while pages waited, `share_of_delay` the same for the others; kills take their
 * part of it. `unsure` are starts that look early only because the site itself was held up on a busy machine.
 *
 *   --fetches N       requests to see in all (20000)
 *   --hosts N         domains (60)
 *   --delayed N       of them with a delay (half)
 *   --workers N       worker processes (4)
 *   --delay S         Crawl-delay in seconds (0.25)
 *   --rps N           rate of the others (5)
 *   --concurrency N   requests under way at one of them (4)
 *   --latency MS      time an answer takes (300)
 *   --kills N         kill -9 of a random worker, spread evenly over the pages (40)
 *   --minutes N       gives up after this time (15)
 */
const { values } = parseArgs({
  options: {
    fetches: { type: 'string', default: '20000' },
    hosts: { type: 'string', default: '60' },
    delayed: { type: 'string' },
    workers: { type: 'string', default: '4' },
    delay: { type: 'string', default: '0.25' },
    rps: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '4' },
    latency: { type: 'string', default: '300' },
    kills: { type: 'string', default: '40' },
    minutes: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const fetches = Number(values.fetches);
const hosts = Number(values.hosts);
const delayed = Number(values.delayed ?? hosts >> 1);
const delay = { delayMs: Number(values.delay) * 1_000 };
const rate = { rps: Number(values.rps), concurrency: Number(values.concurrency) };
const killEvery = fetches / (Number(values.kills) + 1);
const pages = Math.ceil(fetches / hosts);

await using folder = await createTemporaryFolder('politeness');
const log = join(folder.path, 'requests.jsonl');
const sizes = ['--pages', pages, '--hosts', hosts, '--delayed', delayed, '--crawl-delay', values.delay].map(String);
const site = await startSite([...sizes, '--latency', values.latency, '--log', log, '--disallow', '--redirects']);
await using cluster = await startCluster({ WORKER__LEASE_S: '10', WORKER__HEARTBEAT_S: '2' });

const started = performance.now();
const paths = Array.from({ length: pages }, (_, index) => pagePath(index));
for (const [index, origin] of site.ready.origins.entries()) {
  if (index < delayed) {
    await cluster.crawl(`${origin}/page/0`, 2 * pages);
    continue;
  }
  // All of it is known from the start: what is not asked for waits for its turn alone.
  await updateDomain(cluster.app, new URL(origin).host, {
    rate_limit_rps: rate.rps,
    max_concurrency: rate.concurrency,
  });
  for (let from = 0; from < pages; from += 1_000)
    await startCrawl(cluster.app, { urls: paths.slice(from, from + 1_000).map((path) => origin + path) });
}
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
// The site writes down what is still under way when it stops.
await site[Symbol.asyncDispose]();

const requests = readFileSync(log, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Seen);
const byHost = Map.groupBy(requests, ({ h }) => h);
const verdicts = site.ready.origins.map((origin, index) => {
  const promised = index < delayed ? delay : rate;
  return { promised, ...judge(byHost.get(new URL(origin).host) ?? [], promised) };
});
const median = (shares: readonly number[]) =>
  Math.round((shares.toSorted((a, b) => a - b)[shares.length >> 1] ?? 0) * 1_000) / 1_000;
const of = (promised: Promised) => verdicts.filter((verdict) => verdict.promised === promised);
const earlyStarts = verdicts.flatMap((verdict) => verdict.earlyStarts);
const earlyAfterAnswer = verdicts.flatMap((verdict) => verdict.earlyAfterAnswer);
const overConcurrency = verdicts.flatMap((verdict) => verdict.overConcurrency);
for (const lines of [earlyStarts, earlyAfterAnswer, overConcurrency])
  for (const line of lines.slice(0, 20)) console.error(line);
console.log(
  JSON.stringify({
    requests: requests.length,
    hosts,
    delayed,
    workers: Number(values.workers),
    kills,
    delay_ms: delay.delayMs,
    ...rate,
    latency_ms: Number(values.latency),
    early_starts: earlyStarts.length,
    unsure: verdicts.reduce((sum, { unsure }) => sum + unsure, 0),
    early_after_answer: earlyAfterAnswer.length,
    over_concurrency: overConcurrency.length,
    most_under_way: Math.max(0, ...of(rate).map(({ mostUnderWay }) => mostUnderWay)),
    share_of_rate: median(of(rate).map(({ share }) => share)),
    share_of_delay: median(of(delay).map(({ share }) => share)),
    disallowed: requests.filter(({ p }) => p.startsWith('/private/')).length,
    completed,
    seconds: Math.round((performance.now() - started) / 100) / 10,
  }),
);
if (earlyStarts.length + earlyAfterAnswer.length + overConcurrency.length > 0 || !completed) process.exitCode = 1;
