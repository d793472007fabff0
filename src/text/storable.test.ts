import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findUnstorable, MAX_DEPTH } from './storable.ts';

const nested = (depth: number): unknown => JSON.parse('{"a":'.repeat(depth) + 1 + '}'.repeat(depth));

describe('what can be stored', () => {
  it('is every JSON value of well-formed text without NUL', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        const storable = !text.includes('\\u0000') && !/\\ud[89a-f]/.test(text);
        assert.equal(findUnstorable(value) === undefined, storable);
      }),
    );
  });

  it('is not a NUL or half a pair, in values and names at any depth, and says where', () => {
    for (const bad of ['a\0b', '\ud800', 'x\udc00y']) {
      assert.deepEqual(findUnstorable(bad)?.path, []);
      assert.deepEqual(findUnstorable({ a: [1, { b: bad }] })?.path, ['a', '1', 'b']);
      assert.deepEqual(findUnstorable({ a: { [bad]: 1 } })?.path, ['a', bad]);
    }
    assert.equal(findUnstorable('a pair: \u{1f600}'), undefined);
  });

  it('ends at a bound of depth, however deep the value is', () => {
    assert.equal(findUnstorable(nested(MAX_DEPTH)), undefined);
    for (const depth of [MAX_DEPTH + 1, 5_000, 200_000]) assert.match(findUnstorable(nested(depth))!.problem, /deeper/);
  });
});
