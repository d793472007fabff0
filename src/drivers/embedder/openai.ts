import { z } from 'zod';
import type { Embedder } from '../../ports/embedder.ts';
import { stripEnd } from '../../text/strip-end.ts';
import { createRemoteEmbedder, type RemoteEmbedderOptions, Vector } from './remote.ts';

const Answer = z.object({ data: z.array(z.object({ index: z.number().int(), embedding: Vector })) });

/**
 * Any service that speaks OpenAI's `/v1/embeddings`: OpenAI itself, Ollama, vLLM, LM Studio and others. `url` is its
 * root, with or without /v1.
 */
export const createOpenAiEmbedder = (options: RemoteEmbedderOptions): Embedder =>
  createRemoteEmbedder(options, {
    name: 'openai',
    address: `${stripEnd(options.url, /\//).replace(/\/v1(?:\/embeddings)?$/, '')}/v1/embeddings`,
    body: (texts) => ({ model: options.model, input: texts, encoding_format: 'float' }),
    // The order of `data` is by `index`, not by position.
    read: (answer) =>
      Answer.safeParse(answer)
        .data?.data.toSorted((a, b) => a.index - b.index)
        .map((entry) => entry.embedding),
  });
