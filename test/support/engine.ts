import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type App, type AppOverrides, createApp } from '../../src/app.ts';
import { loadSettings } from '../../src/config/load.ts';
import { createLog } from '../../src/log.ts';
import type { Database } from '../../src/ports/database.ts';
import type { Role } from '../../src/roles/run-roles.ts';
import { createTestDatabase } from './database.ts';

export interface Engine extends AsyncDisposable {
  app: App;
  database: Database;
  /** Starts a role; it stops with the engine, or earlier by the function returned. */
  run(role: Role): () => Promise<void>;
}

/** The real program over a test database, allowed to reach loopback. Polls are short, so tests need no patience. */
export async function createEngine(
  settings: Record<string, string> = {},
  overrides: AppOverrides = {},
): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-'));
  const database = await createTestDatabase({ poolSize: 10 });
  const app = await createApp(
    loadSettings({
      APP_ENV: 'test',
      DATA_DIR: folder,
      GUARD__ALLOW: '127.0.0.0/8',
      RATE_LIMIT__DEFAULT_RPS: '0',
      WORKER__POLL_MS: '50',
      WORKER__PARSE_THREADS: '1',
      // Other tests want the cores all the time.
      EMBEDDER__YIELDS: 'false',
      JOB__RETRY_DELAYS_S: '0.02',
      ...settings,
    }).settings,
    { database, log: createLog({ level: 'silent', stream: process.stderr }), ...overrides },
  );
  const stops: (() => Promise<void>)[] = [];
  return {
    app,
    database,
    run(role) {
      const stop = new AbortController();
      const running = role(app, stop.signal);
      const end = async () => {
        stop.abort();
        await running;
      };
      stops.push(end);
      return end;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stops.map((stop) => stop()));
      await app[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An engine with these roles from before the tests of a suite until after them. */
export function useEngine(roles: readonly Role[], settings: Record<string, string> = {}): Omit<Engine, symbol> {
  let engine: Engine | undefined;
  before(async () => {
    engine = await createEngine(settings);
    for (const role of roles) engine.run(role);
  });
  after(() => engine?.[Symbol.asyncDispose]());
  return {
    get app() {
      return engine!.app;
    },
    get database() {
      return engine!.database;
    },
    run: (role) => engine!.run(role),
  };
}

/** Asks again until the answer is there; a test that waits in vain fails with what it last saw. */
export async function eventually<Value>(look: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (performance.now() > deadline) throw new Error(`in vain: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
