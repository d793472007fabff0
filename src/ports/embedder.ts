import type { Engine } from './engine.ts';

/**
 * Text → vectors.
 *
 * Contract:
 * - `embed` returns one vector per text, in order, each of length `dimension`, finite, and of norm 1.
 * - Text beyond `maxTokens` is read in windows where the driver can and not at all where it cannot; callers cut their
 *   chunks so that none is.
 * - A service that does not answer rejects with ENGINE_DOWN (retryable) after its own retries.
 */
export interface Embedder extends Engine, AsyncDisposable {
  /** Names model and weights: vectors of different models are never compared. */
  readonly model: string;
  readonly dimension: number;
  readonly maxTokens: number;
  embed(texts: readonly string[], kind: 'query' | 'document'): Promise<Float32Array[]>;
}
