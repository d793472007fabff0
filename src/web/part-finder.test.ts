import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findText } from './part-finder.ts';

describe('findText', () => {
  it('finds what indexOf finds', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 300 });
    const long = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 33, maxLength: 60 });
    fc.assert(
      fc.property(letters, long, letters, fc.nat(80), (before, part, after, from) => {
        for (const text of [before + part + after, before + after])
          assert.equal(findText(text, part, from), text.indexOf(part, from));
      }),
    );
  });
});
