import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { stripEnd } from '../../text/strip-end.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { askReranker } from '../ask-engine.ts';
import { createPromptPost, type JsonService } from '../http/post-json.ts';

const Answer = z.array(z.object({ index: z.number().int(), score: z.number() }));

/** Hits that are not reranked by then stay in the order they had. */
export const RERANK_MS = 10_000;

/** Text Embeddings Inference: `POST /rerank`. */
export function createTeiReranker({
  url,
  model,
  ...service
}: JsonService & { url: string; model?: string | undefined }): Reranker {
  const address = `${stripEnd(url, /\//).replace(/\/rerank$/, '')}/rerank`;
  const post = createPromptPost(service, RERANK_MS);
  const reranker: Bare<Reranker> = {
    model: `tei:${model ?? 'reranker'}`,
    async rerank(query, texts) {
      if (texts.length === 0) return [];
      const answer = Answer.safeParse(await post(address, { query, texts, truncate: true }));
      if (!answer.success) throw new AppError('ENGINE_DOWN', 'the reranker answered something other than scores');
      return toScores(answer.data, texts.length);
    },
    async [Symbol.asyncDispose]() {},
  };
  return asEngine('tei', reranker, () => askReranker(reranker));
}

/** Scores come in the order of rank, each naming the text it is for; one that is not named comes last. */
export function toScores(ranked: readonly { index: number; score: number }[], count: number): number[] {
  const scores = new Array<number>(count).fill(Math.min(0, ...ranked.map((entry) => entry.score)));
  for (const { index, score } of ranked) if (index >= 0 && index < count) scores[index] = score;
  return scores;
}
