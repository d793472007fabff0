import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient, type StreamEvent } from '../../../clients/typescript/src/index.ts';
import { loadSettings } from '../../../src/config/load.ts';
import { createApiKey } from '../../../src/operations/access/create-api-key.ts';
import { revokeApiKey } from '../../../src/operations/access/revoke-api-key.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { createGuard } from '../../../src/web/guard.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { readLog } from '../../support/events.ts';
import { freePort, until } from '../../support/instance.ts';

const NONE = '01920000-0000-7000-8000-000000000000';
const TRANSPORTS = ['stream', 'socket'] as const;
const { settings } = loadSettings({ APP_ENV: 'test', LIVE__HEARTBEAT_MS: '100' });

type Event = { kind: string; seq: number };

/** Forwards to a port and ends each connection after some bytes of the answer, in the middle of whatever is sent. */
async function openCutter(port: number, bytesOf: (nth: number) => number) {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let left = bytesOf(count++);
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', cut);
    }
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) client.destroySoon();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('following', () => {
  let api: TestApi;
  let port: number;
  let client: Client;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]), settings });
    const bound = await listen(api.server, { host: '127.0.0.1', port: 0 });
    port = bound.port;
    client = createClient({ server: bound.origin, key: api.keys.admin });
  });
  after(() => api[Symbol.asyncDispose]());

  const start = async () => (await client.crawls.start({ urls: ['https://example.com/follow'] })).id;
  const written = async (id: string, after = 0) =>
    (await readLog(api.app.database, id)).filter(({ seq }) => seq! > after).map(({ kind, seq }) => [kind, String(seq)]);
  const brief = (events: readonly StreamEvent<Event>[]) =>
    events.filter(({ event }) => event !== 'crawl.snapshot').map(({ event, id }) => [event, id]);

  for (const transport of TRANSPORTS) {
    it(`${transport}: the crawl, every event of it, and the end`, async () => {
      const id = await start();
      const seen: StreamEvent<Event>[] = [];
      for await (const event of client.crawls.follow<Event>(id, { transport })) {
        seen.push(event);
        if (seen.length === 1) {
          await client.crawls.pause(id);
          await client.crawls.cancel(id);
        }
      }
      assert.equal(seen[0]?.event, 'crawl.snapshot');
      assert.deepEqual(brief(seen), await written(id, Number(seen[0]?.id)));
    });

    it(`${transport}: goes on after an event that is named`, async () => {
      const id = await start();
      await client.crawls.pause(id);
      await client.crawls.cancel(id);
      const seen: StreamEvent<Event>[] = [];
      for await (const event of client.crawls.follow<Event>(id, { transport, after: 1 })) seen.push(event);
      assert.deepEqual(brief(seen), await written(id, 1));
    });

    it(`${transport}: connections that break anywhere lose nothing and repeat nothing`, async () => {
      const id = await start();
      for (let round = 0; round < 8; round++) {
        await client.crawls.pause(id);
        await client.crawls.resume(id);
      }
      await client.crawls.cancel(id);
      const all = await written(id);
      assert.ok(all.length > 16);
      // The head of an answer is about a thousand bytes, an event a few hundred: most cuts fall into one.
      await using cutter = await openCutter(port, (nth) => 900 + ((nth * 389) % 1_700));
      const cut = createClient({ server: cutter.origin, key: api.keys.read });
      const seen: StreamEvent<Event>[] = [];
      for await (const event of cut.crawls.follow<Event>(id, { transport, after: 0, maxWaitMs: 5 })) {
        seen.push(event);
        assert.ok(seen.length <= all.length, 'events come again and again');
      }
      assert.deepEqual(brief(seen), all);
      assert.ok(cutter.connections() > 3, `${cutter.connections()} connections`);
    });

    it(`${transport}: what trying again cannot mend is thrown at once`, async () => {
      const follow = async (who: Client, id: string) => {
        for await (const _ of who.crawls.follow(id, { transport })) assert.fail('it was let in');
      };
      await assert.rejects(follow(client, NONE), { status: 404, code: 'NOT_FOUND' });
      const stranger = createClient({ server: client.server, key: 'c4r_wrong' });
      await assert.rejects(follow(stranger, await start()), { status: 401, code: 'AUTH_REQUIRED' });
    });

    it(`${transport}: ends when the key is revoked`, async () => {
      const made = await createApiKey(api.app, { name: transport, scopes: ['read'], rate_limit_rpm: 100_000 });
      const guest = createClient({ server: client.server, key: made.key });
      const follow = async () => {
        for await (const _ of guest.crawls.follow(await start(), { transport })) await revokeApiKey(api.app, made.id);
      };
      await assert.rejects(follow(), { status: 401, code: 'AUTH_REQUIRED' });
    });

    it(`${transport}: a signal ends it, and so does leaving the loop`, async () => {
      const id = await start();
      const stop = new AbortController();
      const reason = new Error('enough');
      const follow = async () => {
        for await (const _ of client.crawls.follow(id, { transport, signal: stop.signal })) stop.abort(reason);
      };
      await assert.rejects(follow(), reason);
      for await (const _ of client.crawls.follow(id, { transport })) break;
    });
  }

  it('a server that stays away is given up', async () => {
    const gone = createClient({ server: `http://127.0.0.1:${await freePort()}`, key: 'c4r_x' });
    const follow = async () => {
      for await (const _ of gone.crawls.follow(NONE, { giveUpMs: 50, maxWaitMs: 10 })) assert.fail('from nowhere');
    };
    await assert.rejects(follow(), { code: 'CONNECTION_FAILED' });
  });

  it('silence is taken for death, and the connection opened again', async () => {
    const id = await start();
    let opened = 0;
    const counting: typeof fetch = (input, init) => {
      opened++;
      return fetch(input, init);
    };
    const quiet = createClient({ server: client.server, key: api.keys.read, fetch: counting });
    const stop = new AbortController();
    const follow = async () => {
      // Shorter than the heartbeat of the server.
      for await (const _ of quiet.crawls.follow(id, { idleMs: 20, maxWaitMs: 1, signal: stop.signal }));
    };
    const following = follow();
    await until(() => opened >= 3, 10_000);
    stop.abort(new Error('enough'));
    await assert.rejects(following, /enough/);
  });

  it('events of everything, of the kinds that are wanted', async () => {
    const after = (await client.events.list({ limit: 1 })).items[0]?.position ?? 0;
    const id = await start();
    await client.crawls.cancel(id);
    for await (const { event, data } of client.events.follow<{ crawl_id: string }>({
      after,
      kinds: 'crawl.cancelled',
    })) {
      assert.deepEqual([event, data.crawl_id], ['crawl.cancelled', id]);
      break;
    }
  });
});

describe('an API process that is killed in the middle of a stream', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-follow-'));
  let api: TestApi;
  before(async () => {
    api = await createTestApi({ guard: createGuard([]) });
  });
  after(async () => {
    await api[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is followed again after its restart: each event comes once', async () => {
    const port = await freePort();
    const client = createClient({ server: `http://127.0.0.1:${port}`, key: api.keys.admin });
    const run = async () => {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../../src/main.ts'), 'api'],
        {
          env: {
            PATH: process.env.PATH,
            HOME: folder,
            DATA_DIR: join(folder, 'data'),
            PORT: String(port),
            LOG_LEVEL: 'silent',
            DATABASE__POSTGRES_URL: api.app.database.url,
            FULLTEXT__DRIVER: 'postgres',
          },
          stdio: 'ignore',
        },
      );
      await until(
        () =>
          client.admin.getHealth({ retries: 0 }).then(
            () => true,
            () => false,
          ),
        60_000,
      );
      return {
        kill: () => {
          const ended = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGKILL');
          return ended;
        },
      };
    };
    let server = await run();
    const crawl = await client.crawls.start({ urls: ['https://example.com/killed'] });
    const followed = TRANSPORTS.map(async (transport) => {
      const seen: string[] = [];
      for await (const { event, id } of client.crawls.follow(crawl.id, { transport, after: 0, maxWaitMs: 100 }))
        seen.push(`${id} ${event}`);
      return seen;
    });
    await client.crawls.pause(crawl.id);
    await server.kill();
    server = await run();
    await client.crawls.resume(crawl.id);
    await client.crawls.cancel(crawl.id);
    const expected = (await readLog(api.app.database, crawl.id)).map(({ seq, kind }) => `${seq} ${kind}`);
    for (const seen of await Promise.all(followed)) assert.deepEqual(seen, expected);
    await server.kill();
  });
});
