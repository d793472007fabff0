import type { Blobs } from '../../../src/ports/blobs.ts';
import type { Cache } from '../../../src/ports/cache.ts';
import type { Counters } from '../../../src/ports/counters.ts';
import type { Database } from '../../../src/ports/database.ts';
import type { Dispatch } from '../../../src/ports/dispatch.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import type { Engine } from '../../../src/ports/engine.ts';
import type { Fetcher } from '../../../src/ports/fetcher.ts';
import type { Fulltext } from '../../../src/ports/fulltext.ts';
import type { PubSub } from '../../../src/ports/pubsub.ts';
import type { Reranker } from '../../../src/ports/reranker.ts';
import type { Vectors } from '../../../src/ports/vectors.ts';

/**
 * Drivers that do nothing and say so politely: nothing is kept, nothing is found, no call fails. Each answer has the
 * shape the port promises, so that a case that passes with them would pass with any driver.
 */
const disposable: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} };
const engine: Engine & AsyncDisposable = {
  engine: '',
  check: async () => ({ engine: '', detail: '', latencyMs: 0 }),
  ...disposable,
};
const none = async () => {};
async function* empty<T>(): AsyncGenerator<T> {}

export const nothing = {
  blobs: {
    put: async () => [],
    get: none,
    write: async () => ({ reference: '', size: 0 }),
    read: none,
    delete: none,
    list: empty,
    link: async () => '',
    ...engine,
  } as unknown as Blobs,
  cache: {
    get: none,
    set: none,
    delete: none,
    deletePrefix: async () => 0,
    increment: async () => 0,
    lock: none,
    ...engine,
  } as unknown as Cache,
  counters: { shared: false, increment: async () => 0, delete: none } as Counters,
  database: {
    url: 'postgresql://localhost:1/nothing',
    query: async () => [],
    transaction: async (work) => work(nothing.database),
    listen: async () => disposable,
    ...engine,
  } as Database,
  dispatch: { brokered: false, announce: none, receive: none, ...engine } as unknown as Dispatch,
  embedder: { model: '', dimension: 0, maxTokens: 0, embed: async () => [], ...engine } as Embedder,
  fetcher: {
    fetch: async ({ url }) => ({
      url,
      status: 0,
      headers: {},
      body: new Uint8Array(),
      redirects: [],
      timings: { firstByteMs: 0, totalMs: 0 },
    }),
    ...disposable,
  } as Fetcher,
  fulltext: {
    upsert: none,
    search: async () => [],
    deleteDocuments: none,
    deleteChunks: none,
    touch: none,
    ids: empty,
    count: async () => 0,
    ...engine,
  } as Fulltext,
  pubsub: { publish: none, subscribe: async () => disposable, ...engine } as PubSub,
  reranker: { model: '', rerank: async () => [], ...engine } as Reranker,
  vectors: {
    dimension: 4,
    upsert: none,
    search: async () => [],
    deleteDocuments: none,
    deleteChunks: none,
    ids: empty,
    count: async () => 0,
    updateFields: none,
    touch: none,
    drop: none,
    ...engine,
  } as Vectors,
};
