import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Grace } from './grace.ts';

test('a quick worker asks for next to nothing', () => {
  const grace = new Grace();
  assert.equal(grace.ms, 0);
  grace.claimed(4);
  assert.equal(grace.ms, 8);
});

test('slow claims and late turns lengthen the next turns, each claim at most once, up to a limit', () => {
  const grace = new Grace();
  grace.claimed(300);
  assert.equal(grace.ms, 600);
  for (let task = 0; task < 80; task++) grace.late();
  grace.claimed(10);
  assert.equal(grace.ms, 1_200);
  for (let claim = 0; claim < 5; claim++) {
    grace.late();
    grace.claimed(10);
  }
  assert.equal(grace.ms, 2_000);
});

test('a turn that was late although the claim was quick counts too', () => {
  const grace = new Grace();
  grace.late();
  grace.claimed(1);
  assert.equal(grace.ms, 50);
});

test('it wears off', () => {
  const grace = new Grace();
  grace.claimed(500);
  for (let claim = 0; claim < 60; claim++) grace.claimed(5);
  assert.equal(grace.ms, 10);
});
