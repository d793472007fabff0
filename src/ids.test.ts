import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from './ids.ts';

test('ids are UUIDs of version 7 that carry the time', () => {
  const before = Date.now();
  const id = newId();
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const time = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  assert(time >= before && time <= Date.now() + 1_000);
});

test('ids of one process grow and never repeat, however fast they are made', () => {
  const ids = Array.from({ length: 20_000 }, newId);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids.toSorted(), ids);
});
