import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** Runs in a thread: inference blocks the thread it is on. One message in, one message out, in order. */
export interface OnnxWorkerData {
  weights: string;
  tokenizer: object;
  tokenizerConfig: object;
  pooling: 'mean' | 'cls';
  maxTokens: number;
  threads: number;
}
export interface OnnxRequest {
  id: number;
  texts: string[];
}
export type OnnxReply = { id: number; vectors: Float32Array; dimension: number } | { id: number; error: string };

const options = workerData as OnnxWorkerData;
const tokenizer = new Tokenizer(options.tokenizer, options.tokenizerConfig);
const padId = Number(
  (options.tokenizer as { padding?: { pad_id?: number } }).padding?.pad_id ?? tokenizer.token_to_id('[PAD]') ?? 0,
);
const session = await InferenceSession.create(readFileSync(options.weights), {
  intraOpNumThreads: options.threads,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  enableMemPattern: false,
  extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
});

parentPort?.on('message', async ({ id, texts }: OnnxRequest) => {
  try {
    const vectors = await run(texts);
    const reply: OnnxReply = { id, vectors, dimension: vectors.length / texts.length };
    parentPort?.postMessage(reply, [vectors.buffer as ArrayBuffer]);
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies OnnxReply);
  }
});

async function run(texts: string[]): Promise<Float32Array> {
  const rows = texts.map(encode);
  const width = Math.max(...rows.map((ids) => ids.length));
  const shape = [rows.length, width];
  const ids = new BigInt64Array(rows.length * width).fill(BigInt(padId));
  const mask = new BigInt64Array(rows.length * width);
  rows.forEach((row, at) => {
    row.forEach((id, column) => {
      ids[at * width + column] = BigInt(id);
      mask[at * width + column] = 1n;
    });
  });
  const feeds: Record<string, Tensor> = {
    input_ids: new Tensor('int64', ids, shape),
    attention_mask: new Tensor('int64', mask, shape),
  };
  if (session.inputNames.includes('token_type_ids'))
    feeds.token_type_ids = new Tensor('int64', new BigInt64Array(ids.length), shape);
  const outputs = await session.run(feeds);
  const output = outputs[session.outputNames[0]!]!;
  return pool(output.data as Float32Array, rows, width, output.dims.at(-1)!);
}

/** Cuts to what the model reads; the closing marker stays the last token. */
function encode(text: string): number[] {
  const ids = tokenizer.encode(text).ids;
  return ids.length <= options.maxTokens ? ids : [...ids.slice(0, options.maxTokens - 1), ids.at(-1)!];
}

function pool(states: Float32Array, rows: number[][], width: number, dimension: number): Float32Array {
  const vectors = new Float32Array(rows.length * dimension);
  rows.forEach((row, at) => {
    const vector = vectors.subarray(at * dimension, (at + 1) * dimension);
    const tokens = options.pooling === 'cls' ? 1 : row.length;
    for (let token = 0; token < tokens; token++) {
      const offset = (at * width + token) * dimension;
      for (let i = 0; i < dimension; i++) vector[i]! += states[offset + i]!;
    }
    let norm = 0;
    for (let i = 0; i < dimension; i++) norm += vector[i]! * vector[i]!;
    const scale = 1 / Math.sqrt(norm || 1);
    for (let i = 0; i < dimension; i++) vector[i]! *= scale;
  });
  return vectors;
}
