import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Cluster, pick, sleep, startCluster } from './cluster.ts';
import { startSite } from './start-process.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/**
 * Nothing is lost and nothing is doubled, whatever happens to workers. Crawls of one site follow each other while
 * random workers are killed in the middle of their work, then while others are stopped until their leases have run out
 * and are let go on.
 *
 *   --kills N     kill -9 of a random worker (200)
 *   --stops N     SIGSTOP past the lease, then SIGCONT (50)
 *   --pages N     pages of the site (400)
 *   --workers N   worker processes (3)
 *   --minutes N   gives up after this time (30)
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    stops: { type: 'string', default: '50' },
    pages: { type: 'string', default: '400' },
    workers: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '30' },
    json: { type: 'boolean', default: false },
  },
});
const pages = Number(values.pages);
const LEASE_S = 2;
const deadline = performance.now() + Number(values.minutes) * 60_000;

/** What a finished crawl shows. `visits` counts every time a page was stored: one more than pages is a doubled write. */
interface Result {
  status: string;
  crawled: number;
  tasks: number;
  completed: number;
  documents: number;
  visits: number;
  /** Tasks that did not complete, by code. */
  others: Record<string, number> | null;
}

const problems: string[] = [];
let crawls = 0;
let lost = 0;
let doubled = 0;

async function check(cluster: Cluster, id: string, host: string): Promise<void> {
  const [row] = await cluster.app.database.query<Result>(
    `SELECT c.status, c.pages_crawled AS crawled,
       (SELECT count(*)::int FROM tasks WHERE crawl_id = c.id) AS tasks,
       (SELECT count(*)::int FROM tasks WHERE crawl_id = c.id AND status = 'completed') AS completed,
       (SELECT count(*)::int FROM documents WHERE domain = $2) AS documents,
       (SELECT coalesce(sum(visits), 0)::int FROM pages p JOIN domains d ON d.id = p.domain_id WHERE d.domain = $2) AS visits,
       (SELECT jsonb_object_agg(code, n) FROM (
         SELECT coalesce(code, status) AS code, count(*) AS n FROM tasks
         WHERE crawl_id = c.id AND status <> 'completed' GROUP BY 1) x) AS others
     FROM crawls c WHERE c.id = $1`,
    [id, host],
  );
  crawls++;
  if (row === undefined) throw new Error(`crawl ${id} is gone`);
  lost += pages - Math.min(row.completed, row.documents);
  doubled += Math.max(0, row.visits - pages) + Math.max(0, row.crawled - pages);
  const right = row.status === 'completed' && row.tasks === pages && row.crawled === pages && row.visits === pages;
  if (!right || row.completed !== pages || row.documents !== pages) problems.push(JSON.stringify(row));
}

/** Each crawl walks another host of the site, so that its pages are new. */
async function crawlWhile(
  cluster: Cluster,
  origin: string,
  harm: () => Promise<void>,
  enough: () => boolean,
): Promise<void> {
  const id = await cluster.crawl(`${origin}/page/0`, pages);
  let open = true;
  const settled = cluster.settle(deadline - performance.now()).then((result) => {
    open = false;
    return result;
  });
  while (open && !enough()) await harm();
  if (!(await settled)) throw new Error('a crawl did not end in time');
  await check(cluster, id, new URL(origin).host);
}

await using folder = await createTemporaryFolder('no-loss');
const log = join(folder.path, 'arrivals.jsonl');
await using site = await startSite(['--pages', values.pages, '--hosts', '240', '--latency', '30', '--log', log]);
await using cluster = await startCluster({
  WORKER__LEASE_S: String(LEASE_S),
  WORKER__HEARTBEAT_S: '1',
  WORKER__CONCURRENCY: '8',
});
const origins = site.ready.origins[Symbol.iterator]();
const nextOrigin = () => {
  const next = origins.next();
  if (next.done === true) throw new Error('the site has no host left');
  return next.value;
};
const started = performance.now();
for (let number = 0; number < Number(values.workers); number++) cluster.startWorker();

/**
 * A worker that holds tasks at this moment, once the crawl is well under way: while its first page is the only task,
 * three kills in a row would look like a page that kills workers. Undefined when the crawl ended meanwhile.
 */
async function findBusyWorker(): Promise<ChildProcess | undefined> {
  for (let look = 0; look < 100; look++) {
    const rows = await cluster.app.database.query<{ pid: number }>(
      `SELECT DISTINCT w.pid FROM tasks t JOIN workers w ON w.id = t.worker_id WHERE t.status IN ('crawling', 'parsing')
         AND EXISTS (SELECT 1 FROM crawls c WHERE c.id = t.crawl_id AND c.pages_crawled >= 10)`,
    );
    const victim = pick([...cluster.workers].filter((worker) => rows.some(({ pid }) => pid === worker.pid)));
    if (victim !== undefined) return victim;
    await sleep(20);
  }
  return undefined;
}

let kills = 0;
const killOne = async () => {
  await sleep(Math.random() * 400);
  const victim = await findBusyWorker();
  if (victim === undefined) return;
  await cluster.kill(victim);
  cluster.startWorker();
  kills++;
};
while (kills < Number(values.kills)) {
  await crawlWhile(cluster, nextOrigin(), killOne, () => kills >= Number(values.kills));
  console.error(`${kills} kills, ${crawls} crawls, ${lost} lost, ${doubled} doubled`);
}

let stops = 0;
const stopOne = async () => {
  await sleep(Math.random() * 400);
  const victim = await findBusyWorker();
  if (victim === undefined) return;
  victim.kill('SIGSTOP');
  await sleep(LEASE_S * 1_000 + 1_500);
  victim.kill('SIGCONT');
  stops++;
};
while (stops < Number(values.stops)) {
  await crawlWhile(cluster, nextOrigin(), stopOne, () => stops >= Number(values.stops));
  console.error(`${stops} stops, ${crawls} crawls, ${lost} lost, ${doubled} doubled`);
}

await sleep(300);
const fetched = readFileSync(log, 'utf8')
  .split('\n')
  .filter((line) => line.includes('"/page/')).length;
console.log(
  JSON.stringify({
    kills,
    stops,
    crawls,
    pages: crawls * pages,
    fetched_again: fetched - crawls * pages,
    lost,
    stale_writes: doubled,
    problems: problems.slice(0, 5),
    seconds: Math.round((performance.now() - started) / 100) / 10,
  }),
);
if (problems.length > 0) process.exitCode = 1;
