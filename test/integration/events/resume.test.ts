import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { appendEvents } from '../../../src/db/events/append-events.ts';
import { wakeReaders } from '../../../src/db/events/wake-readers.ts';
import { createPostgresDatabase } from '../../../src/drivers/database/postgres.ts';
import { createPostgresPubSub } from '../../../src/drivers/pubsub/postgres.ts';
import type { Database } from '../../../src/ports/database.ts';
import { listen } from '../../../src/surfaces/http/listen.ts';
import { createServer } from '../../../src/surfaces/http/server.ts';
import { createTestApi } from '../../support/api.ts';
import { seedCrawl } from '../../support/crawls.ts';
import { openStream, type StreamClient } from '../../support/event-stream.ts';
import { readLog } from '../../support/events.ts';
import { runLiveRounds } from '../../support/live-rounds.ts';

/** Writes events of a crawl, several transactions at once, each of one to three. */
async function write(
  database: Database,
  crawlId: string,
  transactions: number,
  wake?: () => Promise<void>,
): Promise<void> {
  const one = (nth: number) =>
    database.transaction((tx) =>
      appendEvents(
        tx,
        Array.from({ length: 1 + (nth % 3) }, (_, step) => ({
          kind: 'document.changed' as const,
          crawl_id: crawlId,
          data: { document_id: crawlId, url: `http://x.test/${nth}/${step}`, domain: 'x.test', version: 2 },
        })),
      ),
    );
  for (let nth = 0; nth < transactions; nth += 3) {
    await Promise.all([0, 1, 2].filter((step) => nth + step < transactions).map((step) => one(nth + step)));
    await wake?.();
  }
}

/** Takes what a client has heard over into what all before it heard; returns where the next goes on. */
function collect(client: StreamClient, ids: string[]): string {
  for (const { event, id } of client.heard) if (event !== 'end') ids.push(id!);
  return ids.at(-1) ?? '0';
}

describe('a client that comes back', { timeout: 120_000 }, () => {
  it('to another API process, cut off anywhere: it hears what was written, each once, in order', async () => {
    await using api = await createTestApi();
    const first = await listen(api.server, { host: '127.0.0.1', port: 0 });
    const database = await createPostgresDatabase({ url: api.app.database.url, poolSize: 3 });
    const pubsub = createPostgresPubSub({ database });
    const second = createServer({ ...api.app, database, pubsub });
    const other = await listen(second, { host: '127.0.0.1', port: 0 });
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(12), { minLength: 1, maxLength: 6 }), async (cuts) => {
          const crawlId = await seedCrawl(api.app.database, [`http://x.test/${Math.random()}`]);
          const ids: string[] = [];
          let last = '0';
          for (const [nth, heard] of cuts.entries()) {
            const { origin } = nth % 2 === 0 ? first : other;
            const writing = write(api.app.database, crawlId, 6, () => wakeReaders(pubsub));
            const client = await openStream(origin, `/crawl/${crawlId}/stream`, api.keys.read, last);
            await client.until(({ length }) => length >= heard);
            client.cut();
            await client.closed;
            last = collect(client, ids);
            await writing;
          }
          const log = await readLog(api.app.database, crawlId);
          const client = await openStream(other.origin, `/crawl/${crawlId}/stream`, api.keys.read, last);
          await client.until((heard) => ids.length + heard.length >= log.length);
          client.cut();
          await client.closed;
          collect(client, ids);
          assert.deepEqual(
            ids,
            log.map(({ seq }) => String(seq)),
          );
        }),
        { numRuns: 15 },
      );
    } finally {
      await second.close();
      await pubsub[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    }
  });

  it('after an API process was killed in the middle of a crawl: what it hears is what was written', async () => {
    const { rounds, kills, resumes } = await runLiveRounds({ rounds: 2, pages: 60 });
    assert.deepEqual([rounds, kills], [2, 2]);
    assert.ok(resumes > 0, 'connections were cut');
  });
});
