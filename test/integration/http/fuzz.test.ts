import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzApi } from '../../support/fuzz/run.ts';
import { createWorld } from '../../support/world.ts';

/** A short run of eval/fuzz-api.ts with a fixed seed. */
test('whatever is sent to it, the API answers as its document says', async () => {
  await using world = await createWorld({ BROWSER__PATH: '/nowhere' });
  const report = await fuzzApi(world, { requests: 1_500, seed: 4 });
  assert.deepEqual(report.findings, []);
  assert.ok(report.reached > report.operations * 0.8, `never answered well: ${report.unreached.join(', ')}`);
});
