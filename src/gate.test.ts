import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGate, createSlot } from './gate.ts';

/** What has happened once nothing more can happen by itself. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a place is taken once, and the next in line has it when it is left', async () => {
  const gate = createGate(1);
  const first = createSlot(gate);
  await Promise.all([first.take(), first.take()]);
  const second = createSlot(gate);
  let entered = false;
  void second.take().then(() => {
    entered = true;
  });
  await settle();
  assert.equal(entered, false);
  first[Symbol.dispose]();
  await settle();
  assert.equal(entered, true);
});

test('a place that comes after its holder has gone is passed on', async () => {
  const gate = createGate(1);
  const first = createSlot(gate);
  await first.take();
  const gone = createSlot(gate);
  const waiting = gone.take();
  gone[Symbol.dispose]();
  first[Symbol.dispose]();
  await waiting;
  await createSlot(gate).take();
});

test('who takes no place leaves none', async () => {
  const gate = createGate(1);
  createSlot(gate)[Symbol.dispose]();
  await createSlot(gate).take();
  let entered = false;
  void createSlot(gate)
    .take()
    .then(() => {
      entered = true;
    });
  await settle();
  assert.equal(entered, false);
});
