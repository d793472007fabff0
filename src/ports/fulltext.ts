import type { Engine } from './engine.ts';
import type { IndexFields, IndexFilter, IndexHit } from './index-filter.ts';

export interface TextRow extends IndexFields {
  chunkId: string;
  title: string;
  headings: string;
  content: string;
}

/** A parsed query: what must rank, what must be there, what must not. */
export interface TextQuery {
  /** Words in the order typed, without operators. */
  words: string[];
  /** Word sequences that must occur as typed. */
  phrases: string[][];
  /** Words typed with a trailing *. */
  prefixes: string[];
  /** Words and phrases typed with a leading -. */
  excluded: string[][];
}

/**
 * Keyword search over chunks, with title and headings weighing more than the body; ranking at least as good as BM25.
 * The contract is the one of Vectors, but for scores: any positive number, higher is better.
 */
export interface Fulltext extends Engine, AsyncDisposable {
  upsert(rows: readonly TextRow[]): Promise<void>;
  search(query: TextQuery, limit: number, filter?: IndexFilter): Promise<IndexHit[]>;
  deleteDocuments(documentIds: readonly string[]): Promise<void>;
  deleteChunks(chunkIds: readonly string[]): Promise<void>;
  touch(documentIds: readonly string[], fetchedAt: number): Promise<void>;
  ids(): AsyncIterable<{ chunkId: string; documentId: string }[]>;
  count(): Promise<number>;
  optimize?(): Promise<void>;
}
