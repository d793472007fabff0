import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type App, createApp } from '../src/app.ts';
import { loadSettings } from '../src/config/load.ts';
import { startDeepCrawl } from '../src/operations/crawls/start-crawl.ts';
import { freePort, until } from '../test/support/instance.ts';
import { ROOT, stopProcess } from './start-process.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

export interface Cluster extends AsyncDisposable {
  /** This process's own access to the same data: it plans crawls and queries the database, it fetches nothing. */
  readonly app: App;
  /** Processes that run now. */
  readonly workers: ReadonlySet<ChildProcess>;
  startWorker(): ChildProcess;
  /** An API on a port of its own; resolves when it answers. */
  startApi(): Promise<{ origin: string; process: ChildProcess }>;
  /** kill -9. */
  kill(worker: ChildProcess): Promise<void>;
  /** Plans a walk through a whole site and returns the crawl's id. */
  crawl(url: string, maxPages: number): Promise<string>;
  /** Waits until no crawl is open; false when the time is over first. */
  settle(withinMs: number): Promise<boolean>;
}

/**
 * Worker processes and a scheduler over one new data folder, as an operator would start them. `env` holds further
 * settings, by their environment names.
 */
export async function startCluster(env: Record<string, string>): Promise<Cluster> {
  const cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(await createTemporaryFolder('cluster'));
  const settings = {
    LOG_LEVEL: 'error',
    GUARD__ALLOW: '127.0.0.0/8',
    RATE_LIMIT__DEFAULT_RPS: '0',
    FEATURES__MAX_PAGES_PER_DEEP_CRAWL: '0',
    FEATURES__MAX_CONCURRENT_DEEP_CRAWLS: '0',
    ...env,
    DATA_DIR: folder.path,
  };
  const app = cleanup.use(await createApp(loadSettings(settings).settings));
  const workers = new Set<ChildProcess>();

  function start(role: string, more: Record<string, string> = {}): ChildProcess {
    const child = spawn(join(ROOT, 'bin/crawl4r'), [role], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...settings, ...more },
    });
    child.once('exit', () => workers.delete(child));
    return child;
  }
  const scheduler = start('scheduler');
  cleanup.defer(() => stopProcess(scheduler));
  cleanup.defer(async () => {
    await Promise.all([...workers].map((worker) => stopProcess(worker)));
  });

  return {
    app,
    workers,
    startWorker() {
      const worker = start('worker');
      workers.add(worker);
      return worker;
    },
    async startApi() {
      const port = await freePort();
      const api = start('api', { PORT: String(port) });
      workers.add(api);
      const origin = `http://127.0.0.1:${port}`;
      await until(async () => (await fetch(`${origin}/api/v1/health`).catch(() => undefined)) !== undefined, 60_000);
      return { origin, process: api };
    },
    async kill(worker) {
      const ended = once(worker, 'exit');
      worker.kill('SIGKILL');
      await ended;
    },
    async crawl(url, maxPages) {
      const { id } = await startDeepCrawl(app, { url, max_depth: 100, max_pages: maxPages });
      return id;
    },
    async settle(withinMs) {
      const end = performance.now() + withinMs;
      while (performance.now() < end) {
        const [row] = await app.database.query<{ open: number }>(
          `SELECT count(*)::int AS open FROM crawls WHERE status IN ('pending', 'running')`,
        );
        if (row?.open === 0) return true;
        await sleep(250);
      }
      return false;
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
export const pick = <T>(items: Iterable<T>): T | undefined => {
  const all = [...items];
  return all[Math.floor(Math.random() * all.length)];
};
