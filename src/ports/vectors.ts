import type { Engine } from './engine.ts';
import type { IndexFields, IndexFilter, IndexHit } from './index-filter.ts';

export interface VectorRow extends IndexFields {
  chunkId: string;
  vector: Float32Array;
}

/**
 * Chunk vectors with their filter fields, under cosine similarity. Holds one dimension, given when it is opened;
 * another model means another `space`.
 *
 * Contract:
 * - `upsert` replaces rows with the same chunkId. After it resolves, `search` finds them, in every process.
 * - `search` returns at most `limit` hits, best first, score = cosine similarity in [-1, 1], filters applied before
 *   the limit. A vector of another length rejects with DIMENSION_MISMATCH.
 * - `deleteDocuments` and `touch` of unknown ids do nothing. After it resolves, deleted rows are never returned.
 * - `ids` walks all rows in batches, in any order, each once.
 * - An engine that does not answer rejects with ENGINE_DOWN (retryable).
 */
export interface Vectors extends Engine, AsyncDisposable {
  readonly dimension: number;
  upsert(rows: readonly VectorRow[]): Promise<void>;
  search(vector: Float32Array, limit: number, filter?: IndexFilter): Promise<IndexHit[]>;
  deleteDocuments(documentIds: readonly string[]): Promise<void>;
  deleteChunks(chunkIds: readonly string[]): Promise<void>;
  /** The documents were fetched again, unchanged: their rows are filtered by this time from now on. */
  touch(documentIds: readonly string[], fetchedAt: number): Promise<void>;
  ids(): AsyncIterable<{ chunkId: string; documentId: string }[]>;
  count(): Promise<number>;
  /** Changes what the rows of a document are filtered by and leaves the vectors; absent: rows are written again. */
  updateFields?(documentId: string, fields: Omit<IndexFields, 'documentId' | 'contentType'>): Promise<void>;
  /** Deletes all rows and frees their disk space; not used afterwards. Absent: rows are deleted one by one. */
  drop?(): Promise<void>;
  /** Compacts and builds indexes when enough has changed. One process calls it. */
  optimize?(): Promise<void>;
}
