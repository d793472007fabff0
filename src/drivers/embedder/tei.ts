import { z } from 'zod';
import type { Embedder } from '../../ports/embedder.ts';
import { stripEnd } from '../../text/strip-end.ts';
import { createRemoteEmbedder, type RemoteEmbedderOptions, Vector } from './remote.ts';

const Answer = z.array(Vector);

/** Text Embeddings Inference: `POST /embed`. The service cuts texts that are too long for its model itself. */
export const createTeiEmbedder = (options: RemoteEmbedderOptions): Embedder =>
  createRemoteEmbedder(options, {
    name: 'tei',
    address: `${stripEnd(options.url, /\//).replace(/\/embed$/, '')}/embed`,
    body: (texts) => ({ inputs: texts, truncate: true, normalize: true }),
    read: (answer) => Answer.safeParse(answer).data,
  });
