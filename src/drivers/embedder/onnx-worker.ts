import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession } from 'onnxruntime-node';
import { answerWith, readStartData } from '../onnx/answer.ts';
import { feedsOf, padIdOf, SESSION_OPTIONS } from '../onnx/feeds.ts';
import { readJson } from './onnx-model.ts';

export interface OnnxEmbedderData {
  weights: string;
  /** Files, as the weights are: each thread or process reads them itself. */
  tokenizer: string;
  tokenizerConfig: string;
  pooling: 'mean' | 'cls';
  maxTokens: number;
  threads: number;
}

/** Windows of one over-long text: enough for 4,096 tokens. */
const MAX_WINDOWS = 8;

const options = readStartData<OnnxEmbedderData>();
const tokenizer = new Tokenizer(readJson(options.tokenizer), readJson(options.tokenizerConfig));
const padId = padIdOf(tokenizer);
const session = await InferenceSession.create(options.weights, SESSION_OPTIONS(options.threads));

answerWith(async (texts: string[]) => {
  const windows = texts.map((text) => split(tokenizer.encode(text).ids));
  const rows = windows.flat();
  const outputs = await session.run(feedsOf(session.inputNames, rows, [], padId));
  const output = outputs[session.outputNames[0]!]!;
  return pool(output.data as Float32Array, windows, output.dims[1]!, output.dims.at(-1)!);
});

/** A text longer than the model reads becomes several windows, so that no tail is lost; markers frame each. */
function split(ids: number[]): number[][] {
  if (ids.length <= options.maxTokens) return [ids];
  const windowTokens = options.maxTokens - 2;
  const inner = ids.slice(1, -1);
  const count = Math.min(MAX_WINDOWS, Math.ceil(inner.length / windowTokens));
  const size = Math.min(windowTokens, Math.ceil(inner.length / count));
  return Array.from({ length: count }, (_, at) => [ids[0]!, ...inner.slice(at * size, (at + 1) * size), ids.at(-1)!]);
}

/** One vector per text: the mean over all tokens of its windows (or over their first tokens), of norm 1. */
function pool(states: Float32Array, texts: number[][][], width: number, dimension: number): Float32Array {
  const vectors = new Float32Array(texts.length * dimension);
  let row = 0;
  texts.forEach((windows, at) => {
    const vector = vectors.subarray(at * dimension, (at + 1) * dimension);
    for (const window of windows) {
      const tokens = options.pooling === 'cls' ? 1 : window.length;
      for (let token = 0; token < tokens; token++) {
        const offset = (row * width + token) * dimension;
        for (let i = 0; i < dimension; i++) vector[i]! += states[offset + i]!;
      }
      row++;
    }
    let norm = 0;
    for (let i = 0; i < dimension; i++) norm += vector[i]! * vector[i]!;
    const scale = 1 / Math.sqrt(norm || 1);
    for (let i = 0; i < dimension; i++) vector[i]! *= scale;
  });
  return vectors;
}
