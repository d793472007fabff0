import { AppError } from '../../errors.ts';
import { validateVector } from '../../pipeline/index/validate-vector.ts';
import type { Embedder } from '../../ports/embedder.ts';

export interface RemoteEmbedderOptions {
  model: string;
  dimension: number;
  maxTokens: number;
  batchSize: number;
  /** One request: as many vectors as texts, in order. */
  request(texts: readonly string[], kind: 'query' | 'document'): Promise<readonly ArrayLike<number>[]>;
}

/** What all remote embedders share: batches in order, one request at a time per call, every vector checked. */
export function createRemoteEmbedder({ request, batchSize, ...rest }: RemoteEmbedderOptions): Embedder {
  return {
    ...rest,
    async embed(texts, kind) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batchSize) {
        const batch = texts.slice(at, at + batchSize);
        const made = await request(batch, kind);
        if (made.length !== batch.length)
          throw new AppError('EMBEDDING_INVALID', `${made.length} vectors came back for ${batch.length} texts`);
        for (const vector of made) vectors.push(validateVector(vector, rest.dimension));
      }
      return vectors;
    },
    async [Symbol.asyncDispose]() {},
  };
}
