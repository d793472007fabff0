import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { appendEvents } from '../../../src/db/events/append-events.ts';
import { sequenceEvents } from '../../../src/db/events/sequence-events.ts';
import { wakeReaders } from '../../../src/db/events/wake-readers.ts';
import { FEED_PAGE } from '../../../src/operations/events/feed.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { createServer } from '../../../src/surfaces/http/server.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { seedCrawl } from '../../support/crawls.ts';
import { type Heard, openStream } from '../../support/event-stream.ts';
import { readLog } from '../../support/events.ts';

/** A stream reads what was written, then hears what comes. Here events come exactly between the two. */
describe('events that come while a stream goes over from reading to hearing', () => {
  let api: TestApi;
  let server: ReturnType<typeof createServer>;
  let origin: string;
  /** Run once, around the next page that a stream reads from the log. */
  let around: { before?: () => Promise<void>; after?: () => Promise<void> } = {};
  before(async () => {
    api = await createTestApi();
    const { database } = api.app;
    const query = async (text: string, values: readonly unknown[] = []) => {
      const { before: early, after: late } = values.includes(FEED_PAGE) && / FROM events /.test(text) ? around : {};
      if (early !== undefined || late !== undefined) around = {};
      await early?.();
      const rows = await database.query(text, values);
      await late?.();
      return rows;
    };
    server = createServer({ ...api.app, database: Object.assign(Object.create(database), { query }) });
    ({ origin } = await listen(server, { host: '127.0.0.1', port: 0 }));
  });
  after(async () => {
    await server.close();
    await api[Symbol.asyncDispose]();
  });

  const write = (crawlId: string, name: string) =>
    api.app.database.transaction((tx) =>
      appendEvents(tx, [
        {
          kind: 'document.changed',
          crawl_id: crawlId,
          data: { document_id: crawlId, url: `http://x.test/${name}`, domain: 'x.test', version: 2 },
        },
      ]),
    );
  const wake = () => wakeReaders(api.app.pubsub);
  const has = (name: string) => (heard: readonly Heard[]) =>
    heard.some(({ data }) => data.data?.url === `http://x.test/${name}`);

  for (const [feed, pathOf, idOf] of [
    [
      'of a crawl',
      (id: string) => `/crawl/${id}/stream`,
      ({ seq }: { seq: number | null; position: number }) => String(seq),
    ],
    ['of everything', () => '/events/stream', ({ position }: { position: number }) => String(position)],
  ] as const)
    for (const [when, moment] of [
      ['after the page was read and before it hears', 'after'],
      ['so that they are read, and heard again', 'before'],
    ] as const)
      it(`a stream ${feed} has each once: ${when}`, async () => {
        const crawlId = await seedCrawl(api.app.database, [`http://x.test/${Math.random()}`]);
        const witness = await openStream(origin, '/events/stream', api.keys.read);
        await write(crawlId, 'first');
        await wake();
        await witness.until(has('first'));
        const all = async () =>
          (await readLog(api.app.database, pathOf('') === '/events/stream' ? undefined : crawlId)).map(idOf);
        const known = (await all()).length - 1;
        around = {
          [moment]: async () => {
            await write(crawlId, 'between');
            if (moment === 'before') return void (await sequenceEvents(api.app.database));
            await wake();
            await witness.until(has('between'));
          },
        };
        const from = (await all())[known - 1];
        const client = await openStream(origin, pathOf(crawlId), api.keys.read, from);
        await client.until(has(moment === 'before' ? 'between' : 'first'));
        await wake();
        await witness.until(has('between'));
        await write(crawlId, 'last');
        await wake();
        await client.until(has('last'));
        assert.deepEqual(
          client.heard.map(({ id }) => id),
          (await all()).slice(known),
        );
        for (const each of [client, witness]) {
          each.cut();
          await each.closed;
        }
      });
});
