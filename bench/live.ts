import { parseArgs } from 'node:util';
import { appendEvents } from '../src/db/events/append-events.ts';
import { sequenceEvents } from '../src/db/events/sequence-events.ts';
import { wakeReaders } from '../src/db/events/wake-readers.ts';
import { createApiKey } from '../src/operations/access/create-api-key.ts';
import { startDeepCrawl } from '../src/operations/crawls/start-crawl.ts';
import { until } from '../test/support/instance.ts';
import { runLiveRounds } from '../test/support/live-rounds.ts';
import { type Cluster, sleep, startCluster } from './cluster.ts';
import { type Listeners, openListeners, requestStream } from './live-listeners.ts';
import { startMeter } from './measure.ts';
import { startSite } from './start-process.ts';

/**
 * Streams and sockets on two API processes.
 *
 *   --listeners N   so many at once, half of them on one crawl and half on everything (2000)
 *   --pages N       pages of the crawl (300)
 *   --page-events   with an event a page, not only one a batch
 *   --rounds N      instead: N crawls, in each of which one API process is killed; clients come back and compare
 *   --stuck N       instead: N clients that do not read, while --mb N (60) of events are written
 */
const { values } = parseArgs({
  options: {
    listeners: { type: 'string', default: '2000' },
    pages: { type: 'string', default: '300' },
    'page-events': { type: 'boolean', default: false },
    rounds: { type: 'string' },
    stuck: { type: 'string' },
    mb: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  },
});
const round = (value: number) => Math.round(value * 10) / 10;

const result =
  values.rounds !== undefined
    ? await runLiveRounds({ rounds: Number(values.rounds), pages: 60 })
    : values.stuck !== undefined
      ? await measureStuck(Number(values.stuck))
      : await measureListeners(Number(values.listeners));
console.log(JSON.stringify(result));

async function makeKey({ app }: Cluster): Promise<string> {
  return (await createApiKey(app, { name: 'bench', scopes: ['read'], rate_limit_rpm: 1_000_000 })).key;
}

async function measureListeners(count: number) {
  await using site = await startSite(['--pages', values.pages, '--latency', '20']);
  await using cluster = await startCluster({});
  const key = await makeKey(cluster);
  const apis = [await cluster.startApi(), await cluster.startApi()];
  const origins = apis.map(({ origin }) => origin);
  const { database } = cluster.app;
  const { id } = await startDeepCrawl(cluster.app, {
    ...{ url: `${site.ready.origins[0]}/page/0`, max_depth: 100, max_pages: Number(values.pages) },
    options: { page_events: values['page-events'] },
  });
  const half = Math.floor(count / 2);
  const crawlPaths = { stream: `/crawl/${id}/stream?after=0`, socket: `/ws/crawl/${id}?after=0` };
  const ofCrawl = await openListeners(half, origins, key, crawlPaths);
  const ofAll = await openListeners(count - half, origins, key, { stream: '/events/stream', socket: '/ws/events' });
  const from = await sequenceEvents(database);
  const meters = apis.map(({ process }) => startMeter(process.pid!, 500));
  const started = performance.now();
  cluster.startWorker();
  if (!(await cluster.settle(120_000))) throw new Error('the crawl did not end in time');
  const seconds = (performance.now() - started) / 1_000;
  const events = await database.query<{ seq: number; position: number; at: number }>(
    `SELECT seq, position, extract(epoch FROM created_at)::float8 * 1000 AS at FROM events
     WHERE crawl_id = $1 AND position > $2 ORDER BY seq`,
    [id, from],
  );
  const missing = (listeners: Listeners, idOf: (event: (typeof events)[number]) => number) =>
    events.filter((event) => listeners.arrivals.get(idOf(event))?.listeners !== listeners.open).length;
  const seq = (event: (typeof events)[number]) => event.seq;
  const position = (event: (typeof events)[number]) => event.position;
  await until(() => missing(ofCrawl, seq) + missing(ofAll, position) === 0, 60_000).catch(() => undefined);
  const costs = meters.map((meter) => meter.stop());
  const delays = events
    .map((event) => {
      const [one, other] = [ofCrawl.arrivals.get(seq(event)), ofAll.arrivals.get(position(event))];
      return Math.max(one?.lastMs ?? Number.NaN, other?.lastMs ?? Number.NaN) - event.at;
    })
    .sort((a, b) => a - b);
  const share = (part: number) => Math.round(delays[Math.floor((delays.length - 1) * part)]!);
  for (const listeners of [ofCrawl, ofAll]) listeners.close();
  return {
    listeners: ofCrawl.open + ofAll.open,
    pages: Number(values.pages),
    events: events.length,
    crawl_seconds: round(seconds),
    missing: missing(ofCrawl, seq) + missing(ofAll, position),
    disordered: ofCrawl.disordered + ofAll.disordered,
    last_listener_ms: { p50: share(0.5), p95: share(0.95), max: share(1) },
    api_cpu_seconds: round(costs.reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0)),
    api_peak_mb: costs.map(({ peak_rss_mb }) => peak_rss_mb),
  };
}

/**
 * Memory of an API process whose clients do not read, beside two that do. Its heap is kept small, so that what is counted is held
 * and does not merely wait to be collected.
 */
async function measureStuck(count: number) {
  await using cluster = await startCluster({ LIVE__HEARTBEAT_MS: '1000', NODE_OPTIONS: '--max-old-space-size=128' });
  const key = await makeKey(cluster);
  const api = await cluster.startApi();
  const { database, pubsub } = cluster.app;
  const paths = { stream: '/events/stream', socket: '/ws/events' };
  const readers = await openListeners(2, [api.origin], key, paths);
  const stuck = Array.from({ length: count }, () => requestStream(api.origin, '/events/stream', key));
  let dropped = 0;
  for (const socket of stuck) socket.once('data', () => socket.pause()).once('close', () => dropped++);
  await sleep(2_000);
  const memory = async () => {
    const meter = startMeter(api.process.pid!, 10_000);
    await sleep(200);
    return meter.stop().peak_rss_mb;
  };
  const before = await memory();
  const meter = startMeter(api.process.pid!, 200);
  const data = { domain: 'x.test', reason: 'r'.repeat(20_000) };
  const from = await sequenceEvents(database);
  const writes = Math.ceil((Number(values.mb) * 1e6) / (20 * data.reason.length));
  for (let nth = 0; nth < writes; nth++) {
    await database.transaction((tx) =>
      appendEvents(
        tx,
        Array.from({ length: 20 }, () => ({ kind: 'domain.blocked' as const, data })),
      ),
    );
    await wakeReaders(pubsub);
    await sleep(20);
  }
  const heard = () => [...readers.arrivals].filter(([at, { listeners }]) => at > from && listeners === 2).length;
  await until(() => heard() >= writes * 20, 60_000);
  await sleep(2_000);
  const { peak_rss_mb } = meter.stop();
  // The client side learns of a dropped connection when it reads again.
  for (const socket of stuck) socket.resume();
  await until(() => dropped === count, 30_000).catch(() => undefined);
  readers.close();
  return {
    stuck: count,
    dropped,
    written_mb: Math.round((writes * 20 * data.reason.length) / 1e6),
    readers_heard: heard(),
    api_mb: { before, peak: peak_rss_mb, after: await memory() },
  };
}
