import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeen } from './seen-urls.ts';

test('each crawl knows its own addresses', () => {
  const seenOf = createSeen(100);
  seenOf('one').add('https://example.com/a');
  assert.equal(seenOf('one').has('https://example.com/a'), true);
  assert.equal(seenOf('one').has('https://example.com/b'), false);
  assert.equal(seenOf('two').has('https://example.com/a'), false);
});

test('of all crawls together no more than the limit is kept, and what is met again is kept longest', () => {
  const seenOf = createSeen(100);
  const met = seenOf('old');
  met.add('/often');
  for (let number = 0; number < 1_000; number++) {
    seenOf(`crawl ${number % 7}`).add(`/page/${number}`);
    assert.equal(met.has('/often'), true);
  }
  const kept = Array.from({ length: 1_000 }, (_, number) => number).filter((number) =>
    seenOf(`crawl ${number % 7}`).has(`/page/${number}`),
  );
  assert.ok(kept.length <= 100 && kept.length >= 48, `${kept.length} are kept`);
  assert.ok(kept.includes(999));
});
