import type { Tokenizer } from '@huggingface/tokenizers';
import { type InferenceSession, Tensor } from 'onnxruntime-node';

/** Threads that spin while they wait would take the cores from other work. */
export const SESSION_OPTIONS = (threads: number): InferenceSession.SessionOptions => ({
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  enableMemPattern: false,
  extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
});

/** What fills a row up to the length of the longest; models name it in two ways. */
export const padIdOf = (tokenizer: Tokenizer): number =>
  Number(tokenizer.token_to_id('[PAD]') ?? tokenizer.token_to_id('<pad>') ?? 0);

/** Token ids as the rectangular tensors a BERT-like model takes; the mask hides the padding. */
export function feedsOf(inputNames: readonly string[], rows: number[][], types: number[][], padId: number) {
  const width = Math.max(...rows.map((ids) => ids.length));
  const shape = [rows.length, width];
  const ids = new BigInt64Array(rows.length * width).fill(BigInt(padId));
  const mask = new BigInt64Array(rows.length * width);
  const segments = new BigInt64Array(rows.length * width);
  rows.forEach((row, at) => {
    row.forEach((id, column) => {
      ids[at * width + column] = BigInt(id);
      mask[at * width + column] = 1n;
      segments[at * width + column] = BigInt(types[at]?.[column] ?? 0);
    });
  });
  const feeds: Record<string, Tensor> = {
    input_ids: new Tensor('int64', ids, shape),
    attention_mask: new Tensor('int64', mask, shape),
  };
  if (inputNames.includes('token_type_ids')) feeds.token_type_ids = new Tensor('int64', segments, shape);
  return feeds;
}
