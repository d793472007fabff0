import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { test } from 'node:test';
import { AppError } from '../../errors.ts';
import { createOnnxEmbedder } from '../embedder/onnx.ts';

const LINUX = process.platform === 'linux' ? {} : { skip: 'reads /proc' };

/** Processes that the calling test started and that still run. */
const children = () =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '')
    .map(Number);

test('documents are embedded by processes of the lowest priority, queries at that of the program', LINUX, async () => {
  const before = getPriority();
  const embedder = createOnnxEmbedder({ threads: 1 });
  await embedder.embed(['what is asked'], 'query');
  assert.deepEqual(children(), []);
  await embedder.embed(['what is stored'], 'document');
  const started = children();
  assert.equal(started.length, 1);
  assert.equal(getPriority(started[0]), constants.priority.PRIORITY_LOW);
  assert.equal(getPriority(), before);
  await embedder[Symbol.asyncDispose]();
  assert.deepEqual(children(), []);
});

test('a process gives the vectors that a thread gives', async () => {
  await using process = createOnnxEmbedder({ threads: 1 });
  await using thread = createOnnxEmbedder({ threads: 1, yields: false });
  const texts = ['short', 'some words to read '.repeat(60), 'short'];
  assert.deepEqual(await process.embed(texts, 'document'), await thread.embed(texts, 'document'));
});

test('a process that dies fails what it was given, and the next text starts another', LINUX, async () => {
  await using embedder = createOnnxEmbedder({ threads: 1 });
  await embedder.embed(['warm'], 'document');
  const lost = embedder.embed(['some words to read '.repeat(60)], 'document');
  process.kill(children()[0]!, 'SIGKILL');
  await assert.rejects(lost, (error) => error instanceof AppError && error.code === 'ENGINE_DOWN' && error.retryable);
  assert.equal((await embedder.embed(['again'], 'document')).length, 1);
});
