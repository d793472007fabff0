import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../bench/search-data.ts';
import { createTestDatabase } from '../support/database.ts';
import { runIndexChaos } from '../support/index-chaos.ts';

test('inserts, updates, deletes and killed indexers leave no difference, and no deleted document is found', async () => {
  await using database = await createTestDatabase({ poolSize: 8 });
  const none = { missing: 0, orphaned: 0 };
  const end = await runIndexChaos(database, { operations: 60, kills: 3, random: seededRandom(11) });
  assert.deepEqual([end.fulltext, end.vectors, end.waiting], [none, none, 0]);
  assert.ok(end.searches > 0);
});
