import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findModel } from '../../src/drivers/embedder/onnx-model.ts';
import { castTo, type OnnxNode, onnxModel } from './onnx-bytes.ts';

/** Tokens the little model says it can read. */
export const POSITIONS = 32;

/**
 * The smallest model that reads a pair the way a cross-encoder does: it counts how often a token of the query stands in the
 * text, by token ids, segments and mask. Real weights are 80 MB and more; loading, tokenising, padding, batching and
 * reading the scores are the same. With `logits: 2` both outputs grow with the length of the text, and only their
 * difference is the count.
 */
export async function makeCrossEncoder({
  logits = 1,
}: {
  logits?: 1 | 2;
} = {}): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'cross-encoder-'));
  const { tokenizer, tokenizerConfig } = findModel();
  await copyFile(tokenizer, join(folder, 'tokenizer.json'));
  await copyFile(tokenizerConfig, join(folder, 'tokenizer_config.json'));
  await writeFile(join(folder, 'config.json'), JSON.stringify({ max_position_embeddings: POSITIONS }));
  await writeFile(join(folder, 'model.onnx'), modelBytes(logits));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

function modelBytes(logits: 1 | 2): Uint8Array {
  const node = (op: string, inputs: string[], output: string, attributes = {}): OnnxNode => ({
    op,
    inputs,
    output,
    attributes,
  });
  return onnxModel({
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'],
    integers: { first: 1, second: 2 },
    // The mark at the end of the query stands at the end of the text too, and is no match.
    floats: { one: 1 },
    nodes: [
      node('Cast', ['token_type_ids'], 'text', castTo.float),
      node('Cast', ['attention_mask'], 'mask', castTo.float),
      node('Sub', ['one', 'text'], 'not_text'),
      node('Mul', ['not_text', 'mask'], 'query'),
      node('Unsqueeze', ['query', 'second'], 'query_rows'),
      node('Unsqueeze', ['text', 'first'], 'text_columns'),
      node('Unsqueeze', ['input_ids', 'second'], 'ids_rows'),
      node('Unsqueeze', ['input_ids', 'first'], 'ids_columns'),
      node('Equal', ['ids_rows', 'ids_columns'], 'same'),
      node('Cast', ['same'], 'same_number', castTo.float),
      node('Mul', ['same_number', 'query_rows'], 'in_query'),
      node('Mul', ['in_query', 'text_columns'], 'matches'),
      node('ReduceSum', ['matches', 'second'], 'by_row', { keepdims: 0 }),
      node('ReduceSum', ['by_row', 'first'], 'count_and_mark', { keepdims: 1 }),
      node('Sub', ['count_and_mark', 'one'], logits === 1 ? 'logits' : 'count'),
      ...(logits === 1
        ? []
        : [
            node('ReduceSum', ['text', 'first'], 'length', { keepdims: 1 }),
            node('Add', ['length', 'count'], 'relevant'),
            node('Concat', ['length', 'relevant'], 'logits', { axis: 1 }),
          ]),
    ],
    output: { name: 'logits', shape: ['batch', 'scores'] },
  });
}
