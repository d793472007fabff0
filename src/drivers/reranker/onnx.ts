import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Reranker } from '../../ports/reranker.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { askReranker } from '../ask-engine.ts';
import { findModel } from '../embedder/onnx-model.ts';
import { createModelThread } from '../onnx/thread.ts';

export interface OnnxRerankerOptions {
  /** A folder with a cross-encoder: model.onnx (or model_quantized.onnx) and tokenizer.json. */
  path: string;
  maxTokens?: number;
  threads?: number;
  batchSize?: number;
}

/** Reads query and text together; slower than comparing vectors and better at ordering close hits. */
export function createOnnxReranker({ path, maxTokens, threads, batchSize = 8 }: OnnxRerankerOptions): Reranker {
  const model = findModel(path);
  const data = {
    weights: model.weights,
    tokenizer: model.tokenizer,
    tokenizerConfig: model.tokenizerConfig,
    maxTokens: Math.min(maxTokens || model.positions, model.positions),
    threads: threads || availableParallelism(),
  };
  const thread = createModelThread<{ query: string; texts: string[] }>(
    new URL('./onnx-worker.ts', import.meta.url),
    data,
  );
  const reranker: Bare<Reranker> = {
    model: `${model.name}@${createHash('sha256').update(model.sha256).digest('hex').slice(0, 8)}`,
    async rerank(query, texts) {
      const scores = new Array<number>(texts.length);
      const order = texts.map((_, at) => at).sort((a, b) => texts[a]!.length - texts[b]!.length);
      for (let at = 0; at < order.length; at += batchSize) {
        const batch = order.slice(at, at + batchSize);
        const made = await thread.run({ query, texts: batch.map((index) => texts[index]!) });
        batch.forEach((index, row) => {
          scores[index] = made[row]!;
        });
      }
      return scores;
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
  return asEngine('onnx', reranker, () => askReranker(reranker));
}
