import { loadChunks } from '../../db/search/search.ts';
import { AppError } from '../../errors.ts';
import type { Sql } from '../../ports/database.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { embeddingText } from '../index/embedding-text.ts';
import type { RankedHit } from './ranking.ts';

/** Lets the reranker read the best hits and puts those first in its order; the rest follow as they were. */
export async function rerankHits(
  sql: Sql,
  reranker: Reranker,
  query: string,
  hits: readonly RankedHit[],
  top: number,
): Promise<RankedHit[]> {
  const best = hits.slice(0, top);
  const loaded = await loadChunks(
    sql,
    best.map((hit) => hit.chunkId),
    {},
  );
  const chunks = new Map(loaded.map((chunk) => [chunk.id, chunk]));
  const readable = best.filter((hit) => chunks.has(hit.chunkId));
  const scores = await reranker.rerank(
    query,
    readable.map((hit) => {
      const { title, heading_path, content } = chunks.get(hit.chunkId)!;
      return embeddingText({ title: title ?? '', headingPath: heading_path, content });
    }),
  );
  if (scores.length !== readable.length || !scores.every(Number.isFinite))
    throw new AppError('RERANKING_INVALID', `the reranker ${reranker.model} gave scores that cannot be used`);
  const reranked = readable
    .map((hit, at) => ({ ...hit, rerankScore: scores[at]! }))
    .sort((a, b) => b.rerankScore - a.rerankScore || b.score - a.score);
  return [...reranked, ...hits.slice(top)];
}
