import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { diffLines } from './diff-lines.ts';

const side = (before: string, after: string, left: 'added' | 'removed') =>
  diffLines(before, after)
    .filter((change) => change.kind !== left)
    .map((change) => change.text)
    .join('\n');

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }).map((parts) => parts.join('\n'));

it('holds both texts whole', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      assert.equal(side(before, after, 'added'), before);
      assert.equal(side(before, after, 'removed'), after);
    }),
  );
});

it('is as short as it can be', () => {
  const longestCommon = (a: string[], b: string[]): number => {
    const row = new Array<number>(b.length + 1).fill(0);
    for (const left of a) {
      let corner = 0;
      for (const [at, right] of b.entries()) {
        const above = row[at + 1]!;
        row[at + 1] = left === right ? corner + 1 : Math.max(above, row[at]!);
        corner = above;
      }
    }
    return row[b.length]!;
  };
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const kept = diffLines(before, after).filter((change) => change.kind === 'same').length;
      assert.equal(kept, longestCommon(before.split('\n'), after.split('\n')));
    }),
  );
});

it('gives up on texts with little in common, and still holds both', () => {
  const text = (name: string) => Array.from({ length: 3_000 }, (_, at) => `${name} ${at}`).join('\n');
  assert.equal(side(text('old'), text('new'), 'added'), text('old'));
  assert.equal(side(text('old'), text('new'), 'removed'), text('new'));
});
