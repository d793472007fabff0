import { z } from 'zod';
import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import { createOnnxEmbedder } from './onnx.ts';
import { createOpenAiEmbedder } from './openai.ts';
import { createTeiEmbedder } from './tei.ts';

const remote = {
  url: z.string(),
  model: z.string(),
  dimension: z.number().int().positive(),
  batchSize: z.number().int().positive(),
  timeoutMs: z.number(),
  maxTokens: z.number().int(),
  queryPrefix: z.string().default(''),
  documentPrefix: z.string().default(''),
};

/** Which embedder, with everything but secrets: kept beside the vectors it made, to open it again later. */
export const EmbedderChoice = z.discriminatedUnion('driver', [
  z.object({
    driver: z.literal('onnx'),
    path: z.string().optional(),
    pooling: z.enum(['mean', 'cls']),
    queryPrefix: z.string(),
    documentPrefix: z.string(),
    maxTokens: z.number().int(),
    threads: z.number().int(),
    batchSize: z.number().int(),
    yields: z.boolean().default(true),
  }),
  z.object({ driver: z.literal('tei'), ...remote }),
  z.object({ driver: z.literal('openai'), ...remote }),
]);
export type EmbedderChoice = z.infer<typeof EmbedderChoice>;

/** TEI when its address is set, else an OpenAI-like service when its is, else the local model. */
export function chooseEmbedder(settings: Settings): EmbedderChoice {
  const { tei, openai, embedder } = settings;
  const { maxTokens, queryPrefix, documentPrefix } = embedder;
  const reading = { maxTokens, queryPrefix, documentPrefix };
  if (tei.url !== undefined)
    return {
      driver: 'tei',
      url: tei.url,
      model: tei.embeddingModel,
      dimension: tei.embeddingDimension,
      batchSize: tei.batchSize,
      timeoutMs: tei.timeoutS * 1_000,
      ...reading,
    };
  if (openai.url !== undefined) {
    if (openai.model === undefined || openai.dimension === 0)
      throw new AppError('CONFIG_INVALID', 'OPENAI__URL needs OPENAI__MODEL and OPENAI__DIMENSION');
    return {
      driver: 'openai',
      url: openai.url,
      model: openai.model,
      dimension: openai.dimension,
      batchSize: openai.batchSize,
      timeoutMs: openai.timeoutS * 1_000,
      ...reading,
    };
  }
  return { driver: 'onnx', ...embedder };
}

export function openEmbedder(choice: EmbedderChoice, context: { fetcher: Fetcher; settings: Settings }): Embedder {
  if (choice.driver === 'onnx') return createOnnxEmbedder(choice);
  if (choice.driver === 'tei') return createTeiEmbedder({ ...choice, fetcher: context.fetcher });
  return createOpenAiEmbedder({ ...choice, fetcher: context.fetcher, apiKey: context.settings.openai.apiKey });
}
