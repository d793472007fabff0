import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { computeSimhash, hammingDistance, simhashBands } from './simhash.ts';

const simhash = (text: string) => computeSimhash(Buffer.from(text));

const long = (seed: number): string =>
  Array.from({ length: 400 }, (_, index) => `word${(index * (seed + 7) * 31) % 997}`).join(' ');

test('the same text, however spaced, has the same hash', () => {
  assert.equal(simhash('The tide, rises.'), simhash('the  tide\nRises'));
  assert.equal(hammingDistance(simhash(long(1)), simhash(long(1))), 0);
});

test('a word changed in a long text keeps it near, another text is far', () => {
  const near = hammingDistance(simhash(long(1)), simhash(`${long(1)} indeed`));
  assert.ok(near <= 3, `${near} bits`);
  const far = hammingDistance(simhash(long(1)), simhash(long(2)));
  assert.ok(far > 10, `${far} bits`);
});

test('hashes three bits apart share a band', () => {
  const bit = fc.bigInt({ min: 0n, max: 63n });
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.array(bit, { maxLength: 3 }),
      (hash, bits) => {
        let other = hash;
        for (const at of bits) other = BigInt.asIntN(64, other ^ (1n << at));
        assert.ok(hammingDistance(String(hash), String(other)) <= 3);
        const bands = simhashBands(String(other));
        assert.ok(simhashBands(String(hash)).some((band, index) => band === bands[index]));
      },
    ),
  );
});
