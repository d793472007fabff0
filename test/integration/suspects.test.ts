import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { claimTasks } from '../../src/db/frontier/frontier.ts';
import type { ExtractPool } from '../../src/pipeline/extract/pool.ts';
import { Suspects } from '../../src/roles/worker/suspects.ts';
import { seedCrawl } from '../support/crawls.ts';
import { createTestDatabase } from '../support/database.ts';
import { limits, urls } from '../support/frontier.ts';

test('a suspect is read alone and marked meanwhile, whatever is read before and after it; every page is read', async () => {
  await using database = await createTestDatabase();
  await seedCrawl(database, urls('s.test', 8));
  const claimed = await claimTasks(database, limits());
  const marked = async () =>
    (await database.query<{ id: string }>('SELECT id FROM tasks WHERE alone')).map(({ id }) => id);
  const extractor = { ready: async () => {} } as unknown as ExtractPool;
  const page = fc.record({ losses: fc.constantFrom(0, 1, 2, 5), turns: fc.nat(5), fails: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: claimed.length }), async (pages) => {
      const suspects = new Suspects({ database, extractor });
      let reading = 0;
      const reads = pages.map(({ losses, turns, fails }, at) => {
        const task = { ...claimed[at]!, lost_workers: losses };
        return suspects.watch(task, new Uint8Array(), async () => {
          reading++;
          for (let left = turns; left > 0; left--) await turn();
          if (losses > 1) {
            assert.equal(reading, 1, 'another page was read at the same time');
            assert.deepEqual(await marked(), [task.id]);
          }
          reading--;
          if (fails) throw new Error('unreadable');
          return at;
        });
      });
      const results = await Promise.allSettled(reads);
      for (const [at, { fails }] of pages.entries()) {
        const result = results[at]!;
        if (fails) assert.match(String((result as PromiseRejectedResult).reason), /unreadable/);
        else assert.equal((result as PromiseFulfilledResult<number>).value, at);
      }
      assert.deepEqual(await marked(), []);
    }),
    { numRuns: 50 },
  );
});
