import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Embedder } from '../../ports/embedder.ts';
import { createThread, type ModelThread } from '../onnx/thread.ts';
import { findModel, readJson } from './onnx-model.ts';
import type { OnnxEmbedderData } from './onnx-worker.ts';

export interface OnnxEmbedderOptions {
  /** A folder with the model; absent: the one that comes along. */
  path?: string | undefined;
  pooling?: 'mean' | 'cls';
  queryPrefix?: string;
  documentPrefix?: string;
  maxTokens?: number;
  /** Cores the document lane may use; 0: all of them. */
  threads?: number;
  batchSize?: number;
}

/**
 * A local model in two lanes, each a thread with its own session: documents in small batches on all cores, queries on
 * one core at once, however many documents wait. A lane starts with its first text.
 */
export function createOnnxEmbedder(options: OnnxEmbedderOptions = {}): Embedder {
  const model = findModel(options.path);
  const pooling = options.pooling ?? 'mean';
  const maxTokens = Math.min(options.maxTokens || model.positions, model.positions);
  const batchSize = options.batchSize || 8;
  const prefix = { query: options.queryPrefix ?? '', document: options.documentPrefix ?? '' };
  const lane = (threads: number): OnnxEmbedderData => ({
    weights: model.weights,
    tokenizer: readJson(model.tokenizer),
    tokenizerConfig: readJson(model.tokenizerConfig),
    pooling,
    maxTokens,
    threads,
  });
  const lanes: Partial<Record<'query' | 'document', ModelThread<string[]>>> = {};
  const laneOf = (kind: 'query' | 'document') => {
    lanes[kind] ??= createThread(
      new URL('./onnx-worker.ts', import.meta.url),
      lane(kind === 'query' ? 1 : options.threads || availableParallelism()),
    );
    return lanes[kind];
  };

  const runQuery = gather((texts) => laneOf('query').run(texts), batchSize, model.dimension);

  return {
    model: `${model.name}@${fingerprint([model.sha256, pooling, prefix.query, prefix.document, String(maxTokens)])}`,
    dimension: model.dimension,
    maxTokens,
    async embed(texts, kind) {
      if (kind === 'query' && texts.length === 1) return [await runQuery(prefix.query + texts[0]!)];
      const vectors = new Array<Float32Array>(texts.length);
      // Texts of like length share a batch, so little of it is padding.
      const order = texts.map((_, at) => at).sort((a, b) => texts[a]!.length - texts[b]!.length);
      const batches: number[][] = [];
      for (let at = 0; at < order.length; at += batchSize) batches.push(order.slice(at, at + batchSize));
      await Promise.all(
        batches.map(async (batch) => {
          const flat = await laneOf(kind).run(batch.map((at) => prefix[kind] + texts[at]!));
          batch.forEach((at, row) => {
            vectors[at] = flat.slice(row * model.dimension, (row + 1) * model.dimension);
          });
        }),
      );
      return vectors;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(lanes).map((thread) => thread[Symbol.asyncDispose]()));
    },
  };
}

/** Single texts that come while the thread is busy go together in its next batch, which costs less than one by one. */
function gather(run: (texts: string[]) => Promise<Float32Array>, batchSize: number, dimension: number) {
  let waiting: { text: string; promise: PromiseWithResolvers<Float32Array> }[] = [];
  let busy = false;
  const work = async () => {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      try {
        const flat = await run(batch.map(({ text }) => text));
        for (const [at, { promise }] of batch.entries())
          promise.resolve(flat.slice(at * dimension, (at + 1) * dimension));
      } catch (error) {
        for (const { promise } of batch) promise.reject(error);
      }
    }
    busy = false;
  };
  return (text: string): Promise<Float32Array> => {
    const promise = Promise.withResolvers<Float32Array>();
    waiting.push({ text, promise });
    if (!busy) void work();
    return promise.promise;
  };
}

const fingerprint = (parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 8);
