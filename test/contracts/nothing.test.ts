import { blobsContract } from './blobs.contract.ts';
import { cacheContract } from './cache.contract.ts';
import { countersContract } from './counters.contract.ts';
import { databaseContract } from './database.contract.ts';
import { dispatchContract } from './dispatch.contract.ts';
import { embedderContract } from './embedder.contract.ts';
import { fetcherContract } from './fetcher.contract.ts';
import { fulltextContract } from './fulltext.contract.ts';
import { pubsubContract } from './pubsub.contract.ts';
import { rerankerContract } from './reranker.contract.ts';
import { expectEveryCaseToFail } from './support/contract.ts';
import { nothing } from './support/nothing.ts';
import { vectorsContract } from './vectors.contract.ts';

/** A place without an engine: each driver it opens is the one that does nothing. */
const place = <Driver>(driver: Driver) => ({
  prepare: async () => ({ open: async () => driver, [Symbol.asyncDispose]: async () => {} }),
  open: async () => driver,
});

expectEveryCaseToFail(blobsContract, place(nothing.blobs).prepare);
expectEveryCaseToFail(cacheContract, async () => ({
  cache: nothing.cache,
  advance: async () => {},
  wipe: async () => nothing.cache,
}));
expectEveryCaseToFail(countersContract, async () => ({
  open: async () => nothing.counters,
  advance: async () => {},
  [Symbol.asyncDispose]: async () => {},
}));
expectEveryCaseToFail(databaseContract, place(nothing.database).open);
expectEveryCaseToFail(dispatchContract, place(nothing.dispatch).prepare);
expectEveryCaseToFail(embedderContract, place(nothing.embedder).open);
expectEveryCaseToFail(fetcherContract, place(nothing.fetcher).open);
expectEveryCaseToFail(fulltextContract, place(nothing.fulltext).open);
expectEveryCaseToFail(pubsubContract, place(nothing.pubsub).prepare);
expectEveryCaseToFail(rerankerContract, place(nothing.reranker).open);
expectEveryCaseToFail(vectorsContract, place(nothing.vectors).open);
