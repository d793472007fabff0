import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { appendEvents } from '../../../src/db/events/append-events.ts';
import { readEvents } from '../../../src/db/events/read-events.ts';
import { sequenceEvents } from '../../../src/db/events/sequence-events.ts';
import type { Database, Transaction } from '../../../src/ports/database.ts';
import { seedCrawl } from '../../support/crawls.ts';
import { createTestDatabase } from '../../support/database.ts';
import { readLog } from '../../support/events.ts';

const blocked = (domain: string) => ({ kind: 'domain.blocked' as const, data: { domain, reason: null } });
const changed = (crawlId: string, url: string) => ({
  kind: 'document.changed' as const,
  crawl_id: crawlId,
  data: { document_id: crawlId, url, domain: 'log.test', version: 2 },
});

describe('the log of events', () => {
  let database: Database;
  before(async () => {
    database = await createTestDatabase({ poolSize: 12 });
  });
  after(() => database[Symbol.asyncDispose]());

  /** A transaction that stays open until it is released. */
  function hold(work: (tx: Transaction) => Promise<void>) {
    const written = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const done = database.transaction(async (tx) => {
      await work(tx);
      written.resolve();
      await release.promise;
    });
    const commit = () => {
      release.resolve();
      return done;
    };
    return { written: written.promise, commit };
  }

  it('loses nothing that commits late: a reader at the head gets it next', async () => {
    const start = await sequenceEvents(database);
    const late = hold((tx) => appendEvents(tx, [blocked('late')]));
    await late.written;
    await database.transaction((tx) => appendEvents(tx, [blocked('early')]));
    const head = await sequenceEvents(database);
    const names = async (position: number) =>
      (await readEvents(database, position, 100)).map(({ data }) => (data as { domain: string }).domain);
    assert.deepEqual(await names(start), ['early']);
    await late.commit();
    assert.equal(await sequenceEvents(database), head + 1);
    assert.deepEqual(await names(head), ['late']);
  });

  it('what was rolled back was never there, and leaves no gap', async () => {
    const crawlId = await seedCrawl(database, ['http://rolled.test/']);
    const broken = database.transaction(async (tx) => {
      await appendEvents(tx, [changed(crawlId, 'http://rolled.test/1')]);
      throw new Error('no');
    });
    await assert.rejects(broken, /no/);
    await database.transaction((tx) => appendEvents(tx, [changed(crawlId, 'http://rolled.test/2')]));
    const log = await readLog(database, crawlId);
    assert.deepEqual(
      log.map(({ seq }) => seq),
      log.map((_, index) => index + 1),
    );
    assert.equal((log.at(-1)!.data as { url: string }).url, 'http://rolled.test/2');
  });

  it('is gapless within each crawl and in the same order for the system, under concurrent writers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 4 }), {
          minLength: 2,
          maxLength: 8,
        }),
        async (writers) => {
          const crawls = await Promise.all(
            [0, 1, 2].map((number) => seedCrawl(database, [`http://c${number}.test/${Math.random()}`])),
          );
          const from = await sequenceEvents(database);
          const seen: number[] = [];
          let writing = true;
          const reader = (async () => {
            for (let position = from; ; ) {
              const last = !writing;
              await sequenceEvents(database);
              for (const event of await readEvents(database, position, 7)) {
                position = event.position;
                seen.push(position);
              }
              if (last && position === (await sequenceEvents(database))) return;
            }
          })();
          await Promise.all(
            writers.map(async (transactions) => {
              for (const [crawl, events] of transactions)
                await database.transaction((tx) =>
                  appendEvents(
                    tx,
                    Array.from({ length: events }, (_, nth) => changed(crawls[crawl]!, `http://x.test/${nth}`)),
                  ),
                );
            }),
          );
          writing = false;
          await reader;
          const total = writers.flat().reduce((sum, [, events]) => sum + events, 0);
          assert.deepEqual(
            seen,
            Array.from({ length: total }, (_, nth) => from + nth + 1),
            'each position once, in order, without a gap',
          );
          for (const crawlId of crawls) {
            const log = await readLog(database, crawlId);
            assert.deepEqual(
              log.map(({ seq }) => seq),
              log.map((_, index) => index + 1),
            );
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});
