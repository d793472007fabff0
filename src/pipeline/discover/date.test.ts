import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDate } from './date.ts';

const CASES: [string, string | undefined][] = [
  ['2004', '2004-01-01T00:00:00.000Z'],
  ['2004-07', '2004-07-01T00:00:00.000Z'],
  ['2004-07-08', '2004-07-08T00:00:00.000Z'],
  ['20040708', '2004-07-08T00:00:00.000Z'],
  ['2004-07-08T21:30Z', '2004-07-08T21:30:00.000Z'],
  [' 2004-07-08T21:30:15.5-05:00 ', '2004-07-09T02:30:15.500Z'],
  ['2004-07-08 21:30:15 +0200', '2004-07-08T19:30:15.000Z'],
  ['Thu, 01 Jan 2004 19:48:21 GMT', '2004-01-01T19:48:21.000Z'],
  ['Thu, 1 Jan 04 19:48 EST', '2004-01-02T00:48:00.000Z'],
  ['01 January 2004 19:48:21 +0530', '2004-01-01T14:18:21.000Z'],
  ['Thu, 01 Jan 2004 19:48:21 GMT+01:00', '2004-01-01T18:48:21.000Z'],
  ['Thu Jan  1 19:48:21 UTC 2004', '2004-01-01T19:48:21.000Z'],
  ['January 1, 2004', '2004-01-01T00:00:00.000Z'],
  ['Thu, 01 Jan 2004 19:48:21 +0000 (UTC)', '2004-01-01T19:48:21.000Z'],
  ['7/8/2004 19:48:21', '2004-07-08T19:48:21.000Z'],
  ['2004-02-31', undefined],
  ['2004-13-01', undefined],
  ['2004-07-08T25:00Z', undefined],
  ['0001-01-01T00:00:00Z', undefined],
  ['yesterday', undefined],
  ['', undefined],
  ['1'.repeat(1000), undefined],
];

for (const [text, expected] of CASES)
  test(`${JSON.stringify(text.slice(0, 40))} is ${expected ?? 'no date'}`, () =>
    assert.equal(parseDate(text), expected));
