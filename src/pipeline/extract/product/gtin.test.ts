import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readGtin } from './gtin.ts';

test('takes all lengths whose check digit is right', () => {
  assert.equal(readGtin('4006381333931'), '4006381333931');
  assert.equal(readGtin('EAN: 4006381-333931'), '4006381333931');
  assert.equal(readGtin('036000291452'), '036000291452');
  assert.equal(readGtin('73513537'), '73513537');
  assert.equal(readGtin('0-306-40615-2'), '9780306406157');
  for (const wrong of ['4006381333930', '0000000000000', '123', 'abc', '', '0-306-40615-3'])
    assert.equal(readGtin(wrong), undefined);
});

test('one wrong digit is always noticed', () => {
  fc.assert(
    fc.property(fc.nat(12), fc.integer({ min: 1, max: 9 }), (at, by) => {
      const digits = [...'4006381333931'];
      digits[at] = String((Number(digits[at]) + by) % 10);
      assert.equal(readGtin(digits.join('')), undefined);
    }),
  );
});
