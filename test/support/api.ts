import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { App } from '../../src/app.ts';
import { loadSettings } from '../../src/config/load.ts';
import { createMemoryCache } from '../../src/drivers/cache/memory.ts';
import { createPostgresDispatch } from '../../src/drivers/dispatch/postgres.ts';
import { createPostgresPubSub } from '../../src/drivers/pubsub/postgres.ts';
import type { Log, LogFields } from '../../src/log.ts';
import type { Scope } from '../../src/operations/access/caller.ts';
import { createApiKey } from '../../src/operations/access/create-api-key.ts';
import { createExtractPool } from '../../src/pipeline/extract/pool.ts';
import { createServer, type ServerOptions } from '../../src/surfaces/http/server.ts';
import { createTestDatabase } from './database.ts';
import { createTestSecrets } from './secrets.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any;
  text: string;
}

export interface TestApi extends AsyncDisposable {
  app: App;
  server: FastifyInstance;
  keys: Record<Scope, string>;
  logged: { level: string; event: string; fields: LogFields }[];
  /** Sends with the admin key unless another is given. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The body of an answer that has this status; any other fails the test. */
  ok(method: string, path: string, body?: unknown, status?: number): Promise<Answer['body']>;
  /** Sends as is. */
  send(options: InjectOptions): Promise<Answer>;
}

/** The HTTP surface over a real database and a memory cache, with one key per scope. */
export async function createTestApi(overrides: Partial<App> = {}, options: ServerOptions = {}): Promise<TestApi> {
  const database = await createTestDatabase();
  const cache = createMemoryCache({ maxMb: 8 });
  const pubsub = createPostgresPubSub({ database });
  const dispatch = createPostgresDispatch({ database, pubsub });
  const extractor = createExtractPool({ threads: 1, timeoutMs: 20_000, memoryMb: 128 });
  const logged: TestApi['logged'] = [];
  const app = {
    version: '0.0.0-test',
    settings: loadSettings({ APP_ENV: 'test', FEATURES__MAX_CONCURRENT_DEEP_CRAWLS: '0' }).settings,
    log: recordingLog(logged),
    database,
    cache,
    // One process: the counts of its cache are all there are.
    counters: overrides.cache ?? cache,
    pubsub,
    dispatch,
    secrets: createTestSecrets(),
    extractor,
    ...overrides,
  } as App;
  const server = createServer(app, options);
  const keys = {} as Record<Scope, string>;
  for (const scope of ['read', 'write', 'admin'] as const)
    keys[scope] = (await createApiKey(app, { name: scope, scopes: [scope], rate_limit_rpm: 100_000 })).key;
  const send = async (request: InjectOptions): Promise<Answer> => {
    const { statusCode, headers, payload } = await server.inject(request);
    await setImmediate();
    refuseUndeclared(logged);
    const json = /^application\/json\b/.test(String(headers['content-type']));
    return {
      status: statusCode,
      headers: headers as Answer['headers'],
      body: json ? JSON.parse(payload) : undefined,
      text: payload,
    };
  };
  const call: TestApi['call'] = (method, path, body, headers = {}) =>
    send({
      method: method as 'GET',
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${keys.admin}`, ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    });
  return {
    app,
    server,
    keys,
    logged,
    send,
    call,
    async ok(method, path, body, status = 200) {
      const answer = await call(method, path, body);
      assert.equal(answer.status, status, answer.text);
      return answer.body;
    },
    async [Symbol.asyncDispose]() {
      await extractor[Symbol.asyncDispose]();
      await server.close();
      await dispatch[Symbol.asyncDispose]();
      await pubsub[Symbol.asyncDispose]();
      await cache[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      refuseUndeclared(logged);
    },
  };
}

/** Whatever a test asks for, an answer that the document does not declare fails it. */
export function refuseUndeclared(logged: TestApi['logged']): void {
  const undeclared = logged.filter(({ event }) => event === 'undeclared_error' || event === 'undeclared_status');
  assert.deepEqual(
    undeclared.map(({ event, fields }) => ({ event, ...fields })),
    [],
    'an answer is not in the API document: add its code to `errors` of the route',
  );
}

export function recordingLog(logged: TestApi['logged']): Log {
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}) =>
      void logged.push({ level, event, fields });
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: () => log };
  return log;
}
