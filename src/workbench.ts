import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOnnxEmbedder } from './drivers/embedder/onnx.ts';
import { createLanceFulltext } from './drivers/fulltext/lancedb.ts';
import { createMemoryFulltext } from './drivers/fulltext/memory.ts';
import { createOnnxReranker } from './drivers/reranker/onnx.ts';
import { createLanceVectors } from './drivers/vectors/lancedb.ts';
import { createMemoryVectors } from './drivers/vectors/memory.ts';
import { loadTokenCounter } from './pipeline/index/tokens.ts';
import { collapse } from './pipeline/search/collapse.ts';
import {
  type CorpusChunk,
  type CorpusDocument,
  chunkCorpus,
  corpusText,
  embedCorpus,
  fillIndexes,
} from './pipeline/search/corpus-index.ts';
import { MAX_QUERY_LENGTH, parsePlain, parseQuery } from './pipeline/search/parse-query.ts';
import { retrieve, type SearchMode } from './pipeline/search/retrieve.ts';
import type { Embedder } from './ports/embedder.ts';
import type { Fulltext } from './ports/fulltext.ts';
import type { Vectors } from './ports/vectors.ts';

export interface CorpusOptions {
  /** Without vectors, only keyword search works, and it starts at once. */
  vectors: boolean;
  /** A folder that keeps vectors between runs. */
  cache?: string | undefined;
  /** A model folder; absent: the bundled model. */
  embedder?: string | undefined;
  pooling?: 'mean' | 'cls' | undefined;
  queryPrefix?: string | undefined;
  reranker?: string | undefined;
  /** A folder for the engines the product uses; absent: simple ones in memory, which start at once. */
  engines?: string | undefined;
  onProgress?(done: number, total: number): void;
}

export interface CorpusHit {
  doc: string;
  score: number;
  chunk: { start: number; end: number };
  vector_score?: number;
  vector_rank?: number;
  keyword_score?: number;
  keyword_rank?: number;
  rerank_score?: number;
}

export interface CorpusSearch extends AsyncDisposable {
  search(query: string, mode: SearchMode, limit: number, rerank?: boolean): Promise<CorpusHit[]>;
}

const RERANKED = 20;

/**
 * The product's own search over documents held in memory: the second composition root, for the workbench and the
 * evaluations, which need no database.
 */
export async function openCorpus(documents: readonly CorpusDocument[], options: CorpusOptions): Promise<CorpusSearch> {
  const embedder = createOnnxEmbedder({
    path: options.embedder,
    // A caller waits for it.
    yields: false,
    ...(options.pooling === undefined ? {} : { pooling: options.pooling }),
    ...(options.queryPrefix === undefined ? {} : { queryPrefix: options.queryPrefix }),
  });
  const chunks = chunkCorpus(documents, embedder.maxTokens, await loadTokenCounter());
  const byId = new Map(chunks.map((entry) => [entry.id, entry]));
  const { fulltext, vectors } = openEngines(embedder, options);
  const embedded = options.vectors ? await vectorsOf(embedder, chunks, options) : [];
  await fillIndexes(chunks, fulltext, vectors, embedded);
  await fulltext.optimize?.();
  await vectors?.optimize?.();
  const reranker = options.reranker === undefined ? undefined : createOnnxReranker({ path: options.reranker });

  return {
    async search(query, mode, limit, rerank = false) {
      const embedQuery = async (text: string) => (await embedder.embed([text], 'query'))[0]!;
      // Several chunks may belong to one document, so more of them are requested.
      const depth = Math.min(1_000, Math.ceil((2 * limit * chunks.length) / Math.max(1, documents.length)));
      const parse = query.length > MAX_QUERY_LENGTH ? parsePlain : parseQuery;
      const { hits } = await retrieve({ fulltext, vectors, embedQuery }, parse(query), { mode, depth });
      const found = collapse(hits)
        .slice(0, limit)
        .map((hit): CorpusHit => {
          const { start, end } = byId.get(hit.chunkId)!.chunk;
          return {
            doc: hit.documentId,
            score: hit.score,
            chunk: { start, end },
            ...(hit.vectorRank === undefined ? {} : { vector_score: hit.vectorScore!, vector_rank: hit.vectorRank }),
            ...(hit.keywordRank === undefined
              ? {}
              : { keyword_score: hit.keywordScore!, keyword_rank: hit.keywordRank }),
          };
        });
      if (!rerank || reranker === undefined) return found;
      const best = collapse(hits).slice(0, RERANKED);
      const scores = await reranker.rerank(
        query,
        best.map((hit) => corpusText(byId.get(hit.chunkId)!)),
      );
      const top = found.slice(0, RERANKED).map((hit, at) => ({ ...hit, rerank_score: scores[at]! }));
      return [...top.sort((a, b) => b.rerank_score - a.rerank_score), ...found.slice(RERANKED)];
    },
    async [Symbol.asyncDispose]() {
      await embedder[Symbol.asyncDispose]();
      await reranker?.[Symbol.asyncDispose]();
      await fulltext[Symbol.asyncDispose]();
      await vectors?.[Symbol.asyncDispose]();
    },
  };
}

function openEngines(
  { dimension }: Embedder,
  options: CorpusOptions,
): { fulltext: Fulltext; vectors: Vectors | undefined } {
  const { engines: folder } = options;
  const openVectors = () =>
    folder === undefined
      ? createMemoryVectors({ dimension })
      : createLanceVectors({ folder, space: 'corpus', dimension });
  return {
    fulltext: folder === undefined ? createMemoryFulltext() : createLanceFulltext({ folder }),
    vectors: options.vectors ? openVectors() : undefined,
  };
}

/** Vectors of a corpus, from the cache folder when the same texts were embedded by the same model before. */
async function vectorsOf(embedder: Embedder, chunks: readonly CorpusChunk[], options: CorpusOptions) {
  const hash = createHash('sha256').update(embedder.model);
  for (const entry of chunks) hash.update('\0').update(corpusText(entry));
  const file = options.cache === undefined ? undefined : join(options.cache, `${hash.digest('hex').slice(0, 32)}.f32`);
  const size = embedder.dimension;
  const kept = file === undefined ? undefined : await readFile(file).catch(() => undefined);
  if (kept?.byteLength === chunks.length * size * 4) {
    const all = new Float32Array(kept.buffer.slice(kept.byteOffset, kept.byteOffset + kept.byteLength));
    return chunks.map((_, at) => all.subarray(at * size, (at + 1) * size));
  }
  const vectors = await embedCorpus(embedder, chunks, (done) => options.onProgress?.(done, chunks.length));
  if (file !== undefined) {
    const all = new Float32Array(chunks.length * size);
    vectors.forEach((vector, at) => {
      all.set(vector, at * size);
    });
    await mkdir(options.cache!, { recursive: true });
    await writeFile(file, Buffer.from(all.buffer));
  }
  return vectors;
}
