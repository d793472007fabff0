import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { type JsonService, postJson } from '../http/post-json.ts';
import { createRemoteEmbedder } from './remote.ts';

export interface OpenAiEmbedderOptions extends JsonService {
  /** The service's root, with or without /v1. */
  url: string;
  model: string;
  dimension: number;
  batchSize: number;
  maxTokens?: number;
}

const Answer = z.object({
  data: z.array(
    z.object({
      index: z.number().int(),
      embedding: z.array(
        z
          .number()
          .nullable()
          .transform((v) => v ?? Number.NaN),
      ),
    }),
  ),
});

/** Any service that speaks OpenAI's `/v1/embeddings`: OpenAI itself, Ollama, vLLM, LM Studio and others. */
export function createOpenAiEmbedder({
  url,
  model,
  dimension,
  batchSize,
  maxTokens,
  ...service
}: OpenAiEmbedderOptions): Embedder {
  const root = url.replace(/\/+$/, '').replace(/\/v1(?:\/embeddings)?$/, '');
  return createRemoteEmbedder({
    model: `openai:${model}`,
    dimension,
    maxTokens: maxTokens ?? 512,
    batchSize,
    async request(texts) {
      const answer = Answer.safeParse(
        await postJson(service, `${root}/v1/embeddings`, { model, input: texts, encoding_format: 'float' }),
      );
      if (!answer.success) throw new AppError('EMBEDDING_INVALID', 'the service answered something other than vectors');
      // The order of `data` is by `index`, not by position.
      return answer.data.data.toSorted((a, b) => a.index - b.index).map((entry) => entry.embedding);
    },
  });
}
