import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Postings } from './postings.ts';

const term = fc.constantFrom('ant', 'bee', 'cat', 'dog', 'a-term-that-is-longer-than-others', 'fox');
const all = (size: number, value = 1) => new Uint8Array(size).fill(value);

/** BM25 as the formula is written. */
function reckon(rows: string[][], alive: boolean[], terms: Map<string, number>): Map<number, number> {
  const living = rows.filter((_, slot) => alive[slot]);
  const average = living.reduce((sum, row) => sum + row.length, 0) / living.length;
  const scores = new Map<number, number>();
  for (const [word, weight] of terms) {
    const holders = living.filter((row) => row.includes(word)).length;
    const rarity = Math.log(1 + (living.length - holders + 0.5) / (holders + 0.5));
    rows.forEach((row, slot) => {
      const count = row.filter((held) => held === word).length;
      if (!alive[slot] || count === 0) return;
      const score = (weight * rarity * count * 2.5) / (count + 1.5 * (0.25 + (0.75 * row.length) / average));
      scores.set(slot, (scores.get(slot) ?? 0) + score);
    });
  }
  return scores;
}

test('scores are those of the formula, over the rows that are there', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.array(term, { minLength: 1 }), fc.boolean()), { minLength: 1 }),
      fc.array(fc.tuple(term, fc.integer({ min: 1, max: 3 }))).map((pairs) => new Map(pairs)),
      fc.boolean(),
      (entries, terms, packed) => {
        const postings = new Postings();
        entries.forEach(([row], slot) => {
          postings.add(slot, row);
          if (packed && slot % 3 === 0) postings.pack();
        });
        const alive = entries.map(([, there]) => there);
        const mask = Uint8Array.from(alive, (there) => (there ? 1 : 0));
        const expected = reckon(
          entries.map(([row]) => row),
          alive,
          terms,
        );
        const found = postings.search(terms, 1_000, mask, mask);
        assert.equal(found.length, expected.size);
        for (const [at, { slot, score }] of found.entries()) {
          assert.ok(Math.abs(score - expected.get(slot)!) < 1e-4);
          assert.ok(at === 0 || score <= found[at - 1]!.score);
        }
      },
    ),
  );
});

test('the limit keeps the best, and what is not allowed is left out but counts for rarity', () => {
  const postings = new Postings();
  for (let slot = 0; slot < 50; slot++) postings.add(slot, [...new Array(slot + 1).fill('ant'), 'bee']);
  const alive = all(50);
  const ant = new Map([['ant', 1]]);
  const best = postings.search(ant, 3, alive, alive);
  assert.equal(best.length, 3);
  const everything = postings.search(ant, 50, alive, alive);
  assert.deepEqual(best, everything.slice(0, 3));
  const allowed = all(50).fill(0, 10);
  assert.deepEqual(
    postings.search(ant, 50, allowed, alive),
    everything.filter(({ slot }) => slot < 10),
  );
  assert.deepEqual(postings.search(new Map([['none', 1]]), 5, alive, alive), []);
});
