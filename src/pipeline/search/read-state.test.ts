import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from '../../ports/database.ts';
import { readStateShared } from './read-state.ts';

test('searches share a read that starts after they came, and hear of their own collections only', async () => {
  const reads: { ids: string[]; answer: PromiseWithResolvers<void> }[] = [];
  let generation = 1;
  const sql = {
    async query(_: string, [ids]: [string[]]) {
      const read = { ids, answer: Promise.withResolvers<void>() };
      const seen = generation;
      reads.push(read);
      await read.answer.promise;
      return [{ generation: seen, space: null, indexing: false, unknown: ids.filter((id) => id.startsWith('bad')) }];
    },
  } as unknown as Sql;
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  const first = readStateShared(sql, ['good']);
  await turn();
  generation = 2;
  const second = readStateShared(sql, ['BAD-1']);
  const third = readStateShared(sql, ['bad-2', 'good']);
  await turn();
  assert.equal(reads.length, 1);
  reads[0]!.answer.resolve();
  assert.equal((await first).generation, 1);
  await turn();
  assert.deepEqual(reads[1]!.ids, ['bad-1', 'bad-2', 'good']);
  reads[1]!.answer.resolve();
  assert.deepEqual([(await second).generation, (await second).unknownCollections], [2, ['BAD-1']]);
  assert.deepEqual((await third).unknownCollections, ['bad-2']);

  const failing = readStateShared(sql, []);
  await turn();
  reads[2]!.answer.reject(new Error('gone'));
  await assert.rejects(failing, /gone/);
  const after = readStateShared(sql, []);
  await turn();
  reads[3]!.answer.resolve();
  assert.equal((await after).generation, 2);
});
