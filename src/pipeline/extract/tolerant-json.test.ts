import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseTolerantJson, readValueAt } from './tolerant-json.ts';

const CASES: [string, unknown][] = [
  ['{"a": 1}', { a: 1 }],
  ['{"a": [1, 2,], }', { a: [1, 2] }],
  ['{a: 1, \'b\': "x"}', { a: 1, b: 'x' }],
  ['{ // note\n "a": /* why */ true }', { a: true }],
  ['{"a": "two\nlines"}', { a: 'two\nlines' }],
  ['{"a": "\\u00e9\\n\\x41"}', { a: 'é\nA' }],
  ['{"a": foo(1, {b: 2}), "c": 3}', { a: undefined, c: 3 }],
  ['{"a": 1 "b": 2}', { a: 1, b: 2 }],
  ['{"a": {"b": 1', { a: { b: 1 } }],
  ['[1, -2.5e3, .5, null, undefined]', [1, -2500, 0.5, null, undefined]],
  ['', undefined],
];

for (const [source, value] of CASES) {
  test(`reads ${JSON.stringify(source)}`, () => assert.deepEqual(parseTolerantJson(source), value));
}

test('reads the literal of an assignment and stops', () => {
  const script = 'window.state = {page: {id: 7}}; doSomething({x: 1});';
  assert.deepEqual(readValueAt(script, script.indexOf('{')), { value: { page: { id: 7 } }, end: script.indexOf(';') });
});

test('reads whatever JSON can say, and survives what it cannot', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) =>
      assert.deepEqual(parseTolerantJson(JSON.stringify(value)), JSON.parse(JSON.stringify(value))),
    ),
  );
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 3 }), (json, at, noise) => {
      const cut = at % (json.length + 1);
      parseTolerantJson(json.slice(0, cut) + noise + json.slice(cut));
      parseTolerantJson(json.slice(0, cut));
    }),
    { numRuns: 500 },
  );
});
