/**
 * The API under load, beside a bare Fastify server that returns the same bytes. Both are processes of their own, asked in
 * turns by one generator in a third; PostgreSQL counts as ours. Then the same while slow clients hold connections.
 * `ratio` is our requests a second over the bare server's, `cpu_ratio` the bare server's CPU time a request over ours; both
 * are the median of the rounds, each measured side by side. On two cores the generator takes part of the first, not of the
 * second.
 *
 *   --documents N     documents in the database (3000)
 *   --connections N   connections of the generator (32)
 *   --seconds N       time of one measurement (2)
 *   --rounds N        measurements of each side, in turns (5)
 *   --slow N          slow clients (1000)
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readServerFile } from '../src/surfaces/server-file.ts';
import { type ApiData, fillFolder } from './api-data.ts';
import type { LoadOrder, LoadResult } from './api-load.ts';
import { startMeter } from './measure.ts';
import { ROOT, startScript, stopProcess } from './start-process.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '3000' },
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    slow: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});
const [connections, seconds, rounds, slow] = [values.connections, values.seconds, values.rounds, values.slow].map(
  Number,
) as [number, number, number, number];
const ONLY_WHEN_ASKED = 1e9;
const WANTED_RATIO = 0.6;
const WANTED_SPREAD = 5;

interface Asked {
  method: 'GET' | 'POST';
  path: string;
  payload?: string;
  headers?: Record<string, string>;
}
interface Answered extends Asked {
  body: string;
}
interface Side {
  pid: number;
  port: number;
  requests: string[];
}
type Figures = LoadResult & { cpu_ms: number };

await using folder = await createTemporaryFolder('bench-api');
const env = { DATA_DIR: folder.path, PORT: '0', HTTP__MAX_CONNECTIONS_PER_IP: '0' };
console.error('filling the database');
const data = await fillFolder(env, Number(values.documents));
await using instance = await startInstance();
await using load = await startScript<{ ready: true }>('api-load.ts', []);
const ended = once(load.process, 'exit').then(() => undefined);
const results = createInterface({ input: load.process.stdout! })[Symbol.asyncIterator]();

const routes: Record<string, Answered[]> = {};
for (const [name, asked] of Object.entries(routesOf(data))) {
  routes[name] = [];
  // Twice: what is cached is answered from the cache.
  for (const each of asked) await ask(each);
  for (const each of asked) routes[name].push({ ...each, body: await ask(each) });
}
const flat = Object.values(routes).flat();
const file = join(folder.path, 'bodies.json');
writeFileSync(file, JSON.stringify(flat));
await using bare = await startScript<{ port: number }>('api-bare.ts', [file]);

const report: Record<string, unknown> = {};
let held = true;
for (const [name, asked] of Object.entries(routes)) {
  const { ours, bare: other } = await compare(sidesOf(asked));
  const ratios = ours.map(({ per_second }, at) => round(per_second / other[at]!.per_second));
  const cpuRatios = ours.map(({ cpu_ms }, at) => round(other[at]!.cpu_ms / cpu_ms));
  const ratio = middle(ratios);
  report[name] = {
    bytes: asked[0]!.body.length,
    ratio,
    all_ratios: ratios,
    cpu_ratio: middle(cpuRatios),
    all_cpu_ratios: cpuRatios,
    ours: summarize(ours),
    bare: summarize(other),
  };
  held &&= ratio >= WANTED_RATIO;
  console.error(`${name}: ${Math.round(ratio * 100)} % of the bare server`);
}

await using clients = await startScript<{ open: number }>('api-slow.ts', [String(instance.port), String(slow)]);
const besideSlow: Record<string, unknown> = {};
for (const [name, asked] of Object.entries(routes)) {
  // The bare server has no slow clients: what its answers vary by is the machine's doing.
  const { ours, bare: other } = await compare(sidesOf(asked));
  const spread = middle(ours.map(spreadOf));
  besideSlow[name] = {
    p99_over_p50: spread,
    all_p99_over_p50: ours.map(spreadOf),
    bare_p99_over_p50: middle(other.map(spreadOf)),
    all_bare_p99_over_p50: other.map(spreadOf),
    ...summarize(ours),
  };
  held &&= spread < WANTED_SPREAD;
  console.error(`${name} beside ${slow} slow clients: p99 is ${spread} times p50`);
}
await clients[Symbol.asyncDispose]();
console.log(
  JSON.stringify({ connections, seconds, rounds, routes: report, slow_clients: slow, beside_slow: besideSlow }),
);
if (!held) process.exitCode = 1;

function sidesOf(asked: readonly Answered[]): Record<'ours' | 'bare', Side> {
  return {
    ours: { pid: instance.pid, port: instance.port, requests: asked.map((each) => toText(each, each.path)) },
    bare: {
      pid: bare.process.pid!,
      port: bare.ready.port,
      requests: asked.map((each) => toText(each, `/${flat.indexOf(each)}`)),
    },
  };
}

function spreadOf({ p50_ms, p99_ms }: Figures): number {
  return round(p99_ms / p50_ms);
}

function routesOf({ crawlId, queries }: ApiData): Record<string, Asked[]> {
  const search = (query: string): Asked => ({
    method: 'POST',
    path: '/api/v1/search',
    payload: JSON.stringify({ query, limit: 10 }),
  });
  const get = (path: string): Asked => ({ method: 'GET', path: `/api/v1${path}` });
  return {
    search: [search(queries[0]!)],
    search_many: queries.map(search),
    documents: [get('/documents?limit=50')],
    documents_many: [10, 20, 30, 40, 50, 60, 70, 80].map((limit) => get(`/documents?limit=${limit}`)),
    crawls: [get('/crawls?limit=50')],
    crawl: [get(`/crawl/${crawlId}`)],
  };
}

async function ask({ method, path, payload }: Asked): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${instance.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${data.key}`, 'content-type': 'application/json' },
    ...(payload === undefined ? {} : { body: payload }),
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${body}`);
  return body;
}

function toText({ method, payload }: Asked, path: string): string {
  const body = payload === undefined ? '' : `content-type: application/json\r\ncontent-length: ${payload.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${data.key}\r\n${body}\r\n${payload ?? ''}`;
}

/** In turns, so that whatever else the machine does falls on both alike. The first turn of each warms up. */
async function compare(sides: Record<'ours' | 'bare', Side>): Promise<Record<'ours' | 'bare', Figures[]>> {
  const figures: Record<'ours' | 'bare', Figures[]> = { ours: [], bare: [] };
  for (let at = 0; at <= rounds; at++)
    for (const name of ['ours', 'bare'] as const) {
      const result = await measure(sides[name]);
      if (at > 0) figures[name].push(result);
    }
  return figures;
}

async function measure({ pid, port, requests }: Side): Promise<Figures> {
  const meter = startMeter(pid, ONLY_WHEN_ASKED);
  load.process.stdin!.write(`${JSON.stringify({ port, requests, connections, seconds } satisfies LoadOrder)}\n`);
  const line = await Promise.race([results.next(), ended]);
  if (line === undefined) throw new Error('the generator ended');
  const result = JSON.parse(line.value as string) as LoadResult;
  if (Object.keys(result.statuses).join() !== '200') throw new Error(`answers were ${JSON.stringify(result.statuses)}`);
  return { ...result, cpu_ms: (meter.stop().cpu_seconds * 1_000) / result.requests };
}

function summarize(runs: readonly Figures[]) {
  return {
    per_second: median(runs, 'per_second'),
    all_per_second: runs.map(({ per_second }) => per_second),
    cpu_ms: Math.round(median(runs, 'cpu_ms') * 10_000) / 10_000,
    p50_ms: median(runs, 'p50_ms'),
    p99_ms: median(runs, 'p99_ms'),
  };
}

function median(runs: readonly Figures[], name: 'per_second' | 'cpu_ms' | 'p50_ms' | 'p99_ms'): number {
  return middle(runs.map((figures) => figures[name]));
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** `crawl4r api` as a user starts it, its log in a file. */
async function startInstance() {
  const log = openSync(join(folder.path, 'stderr.log'), 'w');
  const child = spawn(join(ROOT, 'bin/crawl4r'), ['api'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', log],
  });
  let known = readServerFile(folder.path);
  for (let waited = 0; known === undefined && waited < 60_000; waited += 100) {
    await sleep(100);
    known = readServerFile(folder.path);
  }
  if (known === undefined) throw new Error('the instance did not start');
  return {
    pid: child.pid!,
    port: Number(new URL(known.origin).port),
    [Symbol.asyncDispose]: () => stopProcess(child, 35_000),
  };
}
