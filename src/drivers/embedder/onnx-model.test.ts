import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeCrossEncoder, POSITIONS } from '../../../test/support/cross-encoder.ts';
import { AppError } from '../../errors.ts';
import { findModel } from './onnx-model.ts';

const code = (expected: string) => (error: unknown) => error instanceof AppError && error.code === expected;

test('weights that are not the published ones are refused; those that come along are', async () => {
  assert.match(findModel().sha256, /^afdb6f1a/);
  await using model = await makeCrossEncoder();
  const { sha256 } = findModel(model.folder);
  assert.equal(findModel(model.folder, sha256).sha256, sha256);
  assert.throws(() => findModel(model.folder, sha256.replace(/^./, 'x')), code('MODEL_CORRUPT'));
});

test('a model reads as far as its positions and its tokenizer allow', async () => {
  await using model = await makeCrossEncoder();
  assert.equal(findModel(model.folder).positions, POSITIONS);
  await writeFile(join(model.folder, 'tokenizer_config.json'), JSON.stringify({ model_max_length: POSITIONS - 2 }));
  assert.equal(findModel(model.folder).positions, POSITIONS - 2);
  await writeFile(join(model.folder, 'config.json'), '{}');
  await writeFile(join(model.folder, 'tokenizer_config.json'), '{}');
  assert.equal(findModel(model.folder).positions, 512);
  await rm(join(model.folder, 'config.json'));
  assert.throws(() => findModel(model.folder), code('MODEL_MISSING'));
});
