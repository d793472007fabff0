import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '../../src/operations/access/create-api-key.ts';
import { startDeepCrawl } from '../../src/operations/crawls/start-crawl.ts';
import { runWorker } from '../../src/roles/worker.ts';
import { createEngine, type Engine } from './engine.ts';
import { openSocket, openStream, type StreamClient } from './event-stream.ts';
import { readLog } from './events.ts';
import { freePort, type Program, startProgram, until } from './instance.ts';
import { html, openSite, watchCrawls } from './watch-crawls.ts';

interface Api {
  origin: string;
  program: Program;
  /** It answers. */
  up: boolean;
}

export interface RoundsResult {
  rounds: number;
  kills: number;
  /** Events in the table, and received by all clients together. */
  written: number;
  received: number;
  resumes: number;
  /** The slowest round, in seconds. */
  slowest_s: number;
}

const LATENCY_MS = 40;
const CLIENTS = [
  ['stream', 'crawl'],
  ['socket', 'crawl'],
  ['stream', 'crawl'],
  ['socket', 'crawl'],
  ['stream', 'all'],
  ['socket', 'all'],
] as const;
const pick = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)]!;

/**
 * Rounds of one crawl each, watched by streams and sockets on two API processes. In the middle of the crawl one process is
 * killed and started again; its clients go on at whichever answers, with the id of their last event. What each client received
 * has to be what is in the table, in order: a difference fails the run.
 */
export async function runLiveRounds(options: { rounds: number; pages: number }): Promise<RoundsResult> {
  await using engine = await createEngine();
  engine.run(runWorker);
  await using site = await openSite((path, _request, response) => {
    if (path === '/robots.txt') return;
    const root = path.split('/')[1]!;
    const links = Array.from({ length: options.pages - 1 }, (_, at) => `/${root}/${at + 1}`);
    setTimeout(() => html(response, path.endsWith('/0') ? links : [], `A page of a round: ${path}`), LATENCY_MS);
  });
  const { key } = await createApiKey(engine.app, { name: 'k', scopes: ['read'], rate_limit_rpm: 1_000_000 });
  const apis = await Promise.all([startApi(engine), startApi(engine)]);
  const result: RoundsResult = { rounds: 0, kills: 0, written: 0, received: 0, resumes: 0, slowest_s: 0 };
  try {
    for (; result.rounds < options.rounds; result.rounds++) {
      const started = performance.now();
      await runRound(engine, `${site.origin}/r${result.rounds}/0`, apis, key, result);
      result.slowest_s = Math.max(result.slowest_s, Math.round(performance.now() - started) / 1_000);
    }
    return result;
  } finally {
    for (const { program } of apis) program.child.kill('SIGKILL');
    await Promise.all(apis.map(({ program }) => program.ended));
  }
}

async function runRound(engine: Engine, url: string, apis: Api[], key: string, result: RoundsResult): Promise<void> {
  const { untilCrawl, ended } = watchCrawls(() => engine);
  const before = (await readLog(engine.database)).at(-1)?.position ?? 0;
  const { id } = await startDeepCrawl(engine.app, {
    url,
    max_depth: 1,
    max_pages: 1_000,
    options: { page_events: true },
  });
  const followers = CLIENTS.map(([by, what]) =>
    what === 'crawl'
      ? follow(apis, key, by, by === 'stream' ? `/crawl/${id}/stream` : `/ws/crawl/${id}`, 0)
      : follow(apis, key, by, by === 'stream' ? '/events/stream' : '/ws/events', before),
  );
  await untilCrawl(id, (crawl) => crawl.pages_crawled > 0);
  await sleep(Math.random() * 200);
  const victim = pick(apis);
  victim.up = false;
  victim.program.child.kill('SIGKILL');
  const restarted = victim.program.ended.then(() => restart(engine, victim));
  result.kills++;
  await untilCrawl(id, ended);
  const log = (await readLog(engine.database)).filter(({ position }) => position > before);
  for (const [at, follower] of followers.entries()) {
    const own = CLIENTS[at]![1] === 'crawl' ? log.filter(({ crawl_id }) => crawl_id === id) : log;
    const idOf = ({ seq, position }: (typeof log)[number]) => String(CLIENTS[at]![1] === 'crawl' ? seq : position);
    const { heard, resumes } = await follower.until(own.length);
    assert.deepEqual(
      heard,
      own.map((event) => `${idOf(event)} ${event.kind}`),
      `${CLIENTS[at]!.join(' of ')}`,
    );
    result.received += heard.length;
    result.resumes += resumes;
  }
  result.written += log.length;
  await restarted;
}

interface Follower {
  /** What was received, once it is as much as expected; then nothing more is. */
  until(count: number): Promise<{ heard: string[]; resumes: number }>;
}

/** A client that comes back after every break, to a process that answers, and goes on where it was. */
function follow(apis: readonly Api[], key: string, by: 'stream' | 'socket', path: string, after: number): Follower {
  const heard: string[] = [];
  let [client, over, openings]: [StreamClient | undefined, boolean, number] = [undefined, false, 0];
  const take = ({ heard: entries }: StreamClient) =>
    entries.splice(0).flatMap(({ event, id }) => (event === 'end' ? [] : [`${id} ${event}`]));
  const run = async () => {
    while (!over) {
      const last = heard.at(-1)?.split(' ')[0] ?? String(after);
      const { origin } = pick(apis.filter(({ up }) => up));
      client = await (by === 'stream'
        ? openStream(origin, path, key, last)
        : openSocket(origin, `${path}?after=${last}`, key)
      ).catch(() => undefined);
      if (client === undefined) {
        await sleep(20);
        continue;
      }
      openings++;
      await client.closed;
      over ||= client.heard.some(({ event }) => event === 'end');
      heard.push(...take(client));
    }
  };
  const running = run();
  return {
    async until(count) {
      const deadline = performance.now() + 20_000;
      while (heard.length + (client?.heard.filter(({ event }) => event !== 'end').length ?? 0) < count)
        if (performance.now() > deadline) break;
        else await sleep(10);
      over = true;
      client?.cut();
      await running;
      return { heard, resumes: openings - 1 };
    },
  };
}

async function startApi(engine: Engine): Promise<Api> {
  const api: Api = { origin: `http://127.0.0.1:${await freePort()}`, program: undefined as never, up: false };
  await restart(engine, api);
  return api;
}

async function restart({ app, database }: Engine, api: Api): Promise<void> {
  const program = startProgram(['api'], {
    DATA_DIR: app.settings.dataDir,
    PORT: new URL(api.origin).port,
    DATABASE__POSTGRES_URL: database.url,
    DATABASE__POOL_SIZE: '5',
    LOG_LEVEL: 'error',
  });
  api.program = program;
  const answers = () =>
    fetch(`${api.origin}/api/v1/health/ready`).then(
      () => true,
      () => false,
    );
  await until(() => program.child.exitCode !== null || answers(), 60_000);
  assert.equal(program.child.exitCode, null, program.talk());
  api.up = true;
}
