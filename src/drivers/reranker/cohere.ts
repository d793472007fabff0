import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { Reranker } from '../../ports/reranker.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { askReranker } from '../ask-engine.ts';
import { createPromptPost, type JsonService } from '../http/post-json.ts';
import { RERANK_MS, toScores } from './tei.ts';

const Answer = z.object({ results: z.array(z.object({ index: z.number().int(), relevance_score: z.number() })) });

/** Cohere's `/rerank` shape, which Jina, Voyage-like gateways and llama.cpp speak too. `url` is the full address. */
export function createCohereReranker({
  url,
  model,
  ...service
}: JsonService & { url: string; model: string }): Reranker {
  const post = createPromptPost(service, RERANK_MS);
  const reranker: Bare<Reranker> = {
    model: `cohere:${model}`,
    async rerank(query, texts) {
      if (texts.length === 0) return [];
      const answer = Answer.safeParse(await post(url, { model, query, documents: texts, top_n: texts.length }));
      if (!answer.success) throw new AppError('ENGINE_DOWN', 'the reranker answered something other than scores');
      return toScores(
        answer.data.results.map(({ index, relevance_score: score }) => ({ index, score })),
        texts.length,
      );
    },
    async [Symbol.asyncDispose]() {},
  };
  return asEngine('cohere', reranker, () => askReranker(reranker));
}
