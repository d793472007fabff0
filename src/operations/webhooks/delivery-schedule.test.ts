import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ATTEMPTS, nextDelay } from './delivery-schedule.ts';

const HOUR = 3_600;

test('all attempts together take about a day, each delay longer than the one before and never the same', () => {
  for (let round = 0; round < 100; round++) {
    const delays = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, at) => nextDelay(at + 1, MAX_ATTEMPTS)!);
    const sum = delays.reduce((total, delay) => total + delay, 0);
    assert.ok(sum > 22 * HOUR && sum < 27 * HOUR, `${sum / HOUR} hours`);
    for (let at = 1; at < delays.length; at++) assert.ok(delays[at]! > delays[at - 1]!, `${delays}`);
  }
  assert.ok(new Set(Array.from({ length: 100 }, () => nextDelay(1, MAX_ATTEMPTS))).size > 90);
});

test('the last attempt has none after it, also when senders died on the way', () => {
  assert.equal(nextDelay(MAX_ATTEMPTS, MAX_ATTEMPTS), null);
  assert.equal(nextDelay(MAX_ATTEMPTS + 3, MAX_ATTEMPTS), null);
  assert.equal(nextDelay(1, 1), null);
});

test('a receiver that asks for more time gets it, one that asks for less does not', () => {
  assert.ok(nextDelay(1, MAX_ATTEMPTS, 7_200_000)! >= 7_200);
  assert.ok(nextDelay(3, MAX_ATTEMPTS, 1_000)! >= 300);
});
