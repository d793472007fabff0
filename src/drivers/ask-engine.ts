import { AppError } from '../errors.ts';
import type { Database } from '../ports/database.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { PubSub } from '../ports/pubsub.ts';
import type { Reranker } from '../ports/reranker.ts';
import type { Bare } from './as-engine.ts';

/** Queries that several drivers send to their engine in `check`. */

const ROUND_TRIP_MS = 5_000;

export async function askVersion(database: Database): Promise<{ version: string }> {
  return { version: (await database.check()).version ?? '' };
}

export async function askEmbedder(embedder: Bare<Embedder>): Promise<{ detail: string }> {
  const [vector] = await embedder.embed(['ready?'], 'query');
  return { detail: `${embedder.model}, ${vector!.length} numbers` };
}

export async function askReranker(reranker: Bare<Reranker>): Promise<{ detail: string }> {
  await reranker.rerank('ready?', ['yes']);
  return { detail: reranker.model };
}

/** A message to ourselves: publishing alone would not show that messages arrive. */
export async function askRoundTrip(pubsub: Bare<PubSub>): Promise<{ detail: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const mine = crypto.randomUUID();
  await using _subscription = await pubsub.subscribe('check', (message) => message === mine && resolve());
  const late = setTimeout(
    () => reject(new AppError('ENGINE_DOWN', 'a message that was published did not arrive')),
    ROUND_TRIP_MS,
  );
  try {
    await pubsub.publish('check', [mine]);
    await promise;
  } finally {
    clearTimeout(late);
  }
  return { detail: 'messages arrive' };
}
