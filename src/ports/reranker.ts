import type { Engine } from './engine.ts';

/**
 * Scores how well each text answers the query; higher is better, only the order counts. One score per text, in order.
 * A service that does not answer rejects with ENGINE_DOWN (retryable).
 */
export interface Reranker extends Engine, AsyncDisposable {
  readonly model: string;
  rerank(query: string, texts: readonly string[]): Promise<number[]>;
}
