/** What kept results are called in the cache: each kind can be cleared by its prefix. */
export const CACHE_PREFIX = {
  /** Whole search answers. */
  query: 'query:',
  /** Vectors of chunks, by model and content hash. */
  embedding: 'embed:',
  /** Vectors of queries, by model and text. */
  queryEmbedding: 'query-embed:',
} as const;
