import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { type JsonService, postJson } from '../http/post-json.ts';
import { createRemoteEmbedder } from './remote.ts';

export interface TeiEmbedderOptions extends JsonService {
  url: string;
  model: string;
  dimension: number;
  batchSize: number;
  maxTokens?: number;
}

const Answer = z.array(
  z.array(
    z
      .number()
      .nullable()
      .transform((value) => value ?? Number.NaN),
  ),
);

/** Text Embeddings Inference: `POST /embed`. The service cuts texts that are too long for its model itself. */
export function createTeiEmbedder({
  url,
  model,
  dimension,
  batchSize,
  maxTokens,
  ...service
}: TeiEmbedderOptions): Embedder {
  const address = `${url.replace(/\/+$/, '')}/embed`;
  return createRemoteEmbedder({
    model: `tei:${model}`,
    dimension,
    maxTokens: maxTokens ?? 512,
    batchSize,
    async request(texts) {
      const answer = Answer.safeParse(
        await postJson(service, address, { inputs: texts, truncate: true, normalize: true }),
      );
      if (!answer.success) throw new AppError('EMBEDDING_INVALID', 'the service answered something other than vectors');
      return answer.data;
    },
  });
}
