import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { validateVector } from '../../text/validate-vector.ts';
import { asEngine, type Bare } from '../as-engine.ts';
import { askEmbedder } from '../ask-engine.ts';
import { createPromptPost, type JsonService, postJson } from '../http/post-json.ts';

export interface RemoteEmbedderOptions extends JsonService {
  url: string;
  model: string;
  dimension: number;
  batchSize: number;
  maxTokens?: number;
  /** The prefix that some models require for each text. */
  queryPrefix?: string;
  documentPrefix?: string;
}

/** What one service differs in from another. */
export interface EmbeddingProtocol {
  name: string;
  address: string;
  body(texts: readonly string[]): object;
  /** The vectors in the order of the texts; undefined when the answer is something else. */
  read(answer: unknown): number[][] | undefined;
}

/** JSON has no word for what is not a number; services write null. */
export const Vector = z.array(
  z
    .number()
    .nullable()
    .transform((value) => value ?? Number.NaN),
);

/** A query that has no vector by then is answered from keywords. */
const QUERY_MS = 3_000;

/** What all remote embedders share: batches in order, one request at a time per call, every vector checked. */
export function createRemoteEmbedder(options: RemoteEmbedderOptions, protocol: EmbeddingProtocol): Embedder {
  const { dimension, batchSize, maxTokens = 512, queryPrefix = '', documentPrefix = '' } = options;
  const prefix = { query: queryPrefix, document: documentPrefix };
  const variant = queryPrefix + documentPrefix === '' ? '' : `@${fingerprint(`${queryPrefix}\0${documentPrefix}`)}`;
  const post = {
    query: createPromptPost(options, QUERY_MS),
    document: (url: string, body: unknown) => postJson(options, url, body),
  };
  const request = async (texts: readonly string[], kind: 'query' | 'document') => {
    const made = protocol.read(await post[kind](protocol.address, protocol.body(texts)));
    if (made === undefined)
      throw new AppError('EMBEDDING_INVALID', `${protocol.address} answered something other than vectors`);
    if (made.length !== texts.length)
      throw new AppError('EMBEDDING_INVALID', `${made.length} vectors came back for ${texts.length} texts`);
    return made.map((vector) => validateVector(vector, dimension));
  };
  const embedder: Bare<Embedder> = {
    model: `${protocol.name}:${options.model}${variant}`,
    dimension,
    maxTokens,
    async embed(texts, kind) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batchSize)
        vectors.push(
          ...(await request(
            texts.slice(at, at + batchSize).map((text) => prefix[kind] + text),
            kind,
          )),
        );
      return vectors;
    },
    async [Symbol.asyncDispose]() {},
  };
  return asEngine(protocol.name, embedder, () => askEmbedder(embedder));
}

const fingerprint = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
