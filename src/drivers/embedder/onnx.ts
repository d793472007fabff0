import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Embedder } from '../../ports/embedder.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { askEmbedder } from '../ask-engine.ts';
import { createModelProcess } from '../onnx/process.ts';
import { createModelThread } from '../onnx/thread.ts';
import { planBatches } from './batches.ts';
import { findModel } from './onnx-model.ts';
import type { OnnxEmbedderData } from './onnx-worker.ts';

export interface OnnxEmbedderOptions {
  /** A folder with the model; absent: the bundled one. */
  path?: string | undefined;
  pooling?: 'mean' | 'cls';
  queryPrefix?: string;
  documentPrefix?: string;
  maxTokens?: number;
  /** Cores the document lane may use; 0: all of them. */
  threads?: number;
  batchSize?: number;
  /** Whether documents wait while other work needs the cores. */
  yields?: boolean;
}

/** Sessions on a core each do more than one session on as many cores, whose parts wait for each other; but each has its own memory. */
const MAX_SESSIONS = 4;

/**
 * A local model in two lanes. Documents are embedded in small batches on all cores, by processes at low priority that yield to
 * everything else: a crawl beside a full queue keeps its speed. Queries have a thread of their own at the program's
 * priority, however many documents wait. A lane starts with its first text.
 */
export function createOnnxEmbedder(options: OnnxEmbedderOptions = {}): Embedder {
  const model = findModel(options.path);
  const pooling = options.pooling ?? 'mean';
  const maxTokens = Math.min(options.maxTokens || model.positions, model.positions);
  const batchSize = options.batchSize || 8;
  const prefix = { query: options.queryPrefix ?? '', document: options.documentPrefix ?? '' };
  const { weights, tokenizer, tokenizerConfig } = model;
  const open = (threads: number, host: typeof createModelThread) => {
    const data: OnnxEmbedderData = { weights, tokenizer, tokenizerConfig, pooling, maxTokens, threads };
    return host<string[]>(new URL('./onnx-worker.ts', import.meta.url), data);
  };
  const background = options.yields === false ? createModelThread : createModelProcess;
  const cores = options.threads || availableParallelism();
  const sessions = Math.min(cores, MAX_SESSIONS);
  const lanes = {
    query: [open(1, createModelThread)],
    document: Array.from({ length: sessions }, () => open(Math.ceil(cores / sessions), background)),
  };
  const run = (kind: keyof typeof lanes, texts: string[]) =>
    lanes[kind].reduce((idlest, thread) => (thread.load < idlest.load ? thread : idlest)).run(texts);

  const runQuery = gather((texts) => run('query', texts), batchSize, model.dimension);

  const embedder: Bare<Embedder> = {
    model: `${model.name}@${fingerprint([model.sha256, pooling, prefix.query, prefix.document, String(maxTokens)])}`,
    dimension: model.dimension,
    maxTokens,
    async embed(texts, kind) {
      if (kind === 'query' && texts.length === 1) return [await runQuery(prefix.query + texts[0]!)];
      const vectors = new Array<Float32Array>(texts.length);
      await Promise.all(
        planBatches(texts, batchSize).map(async (batch) => {
          const flat = await run(
            kind,
            batch.map((at) => prefix[kind] + texts[at]!),
          );
          batch.forEach((at, row) => {
            vectors[at] = flat.slice(row * model.dimension, (row + 1) * model.dimension);
          });
        }),
      );
      return vectors;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...lanes.query, ...lanes.document].map((thread) => thread[Symbol.asyncDispose]()));
    },
  };
  return asEngine('onnx', embedder, () => askEmbedder(embedder));
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
