import { type AppError, toAppError } from '../../errors.ts';
import type { Fulltext } from '../../ports/fulltext.ts';
import type { IndexFilter, IndexHit } from '../../ports/index-filter.ts';
import type { Vectors } from '../../ports/vectors.ts';
import { type FusedHit, type FuseOptions, fuse } from './fuse.ts';
import type { ParsedQuery } from './parse-query.ts';

export type SearchMode = 'hybrid' | 'vector' | 'keyword';

/** Candidates requested from each engine: deep enough for its scores to have a spread, shallow enough to be quick. */
export const DEPTH = 100;

/**
 * Vectors count slightly more. nDCG@10 (CISI, Cranfield, MEDLARS): weight 0.8 .460 .480 .787; 1 .464 .483 .791; 1.2 .461 .481 .798;
 * 1.5 .466 .480 .799. It is flat from 1 on; exact words must keep enough weight for identifiers and names.
 */
export const DEFAULT_FUSION = { method: 'scores', k: 60, vectorWeight: 1.2, keywordWeight: 1 } as const;

export interface RetrieveDeps {
  fulltext: Fulltext;
  /** Undefined while no index of vectors is in force. */
  vectors: Vectors | undefined;
  embedQuery(text: string): Promise<Float32Array>;
  /** Which of the chunks have no vector yet; absent: none of those that are searched. */
  findWithoutVector?: ((chunkIds: readonly string[]) => Promise<ReadonlySet<string>>) | undefined;
}

export interface RetrieveOptions {
  mode: SearchMode;
  depth?: number;
  filter?: IndexFilter | undefined;
  fusion?: Partial<Omit<FuseOptions, 'depth'>>;
}

export interface Retrieved {
  hits: FusedHit[];
  /** What was really searched: a hybrid query falls back to keywords when vectors are not available. */
  mode: SearchMode;
  degraded: AppError | undefined;
  timings: Record<string, number>;
}

/** Queries both engines at once and fuses their results. */
export async function retrieve(deps: RetrieveDeps, query: ParsedQuery, options: RetrieveOptions): Promise<Retrieved> {
  const depth = options.depth ?? DEPTH;
  const timings: Record<string, number> = {};
  const timed = async <T>(stage: string, work: Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await work;
    } finally {
      timings[stage] = Math.round((performance.now() - start) * 100) / 100;
    }
  };
  const searchVectors = async (): Promise<IndexHit[]> => {
    if (deps.vectors === undefined) throw new Error('no vectors have been made yet');
    const vector = await timed('embed', deps.embedQuery(query.meaning));
    const hits = await timed('vector', deps.vectors.search(vector, depth, options.filter));
    return query.strict ? timed('verify', keepAllowed(deps.fulltext, query, hits)) : hits;
  };
  let withoutVector: ReadonlySet<string> = new Set();
  const searchText = async (): Promise<IndexHit[]> => {
    const hits = await timed('keyword', deps.fulltext.search(query.text, depth, options.filter));
    if (options.mode === 'hybrid' && deps.findWithoutVector !== undefined && hits.length > 0)
      withoutVector = await timed('pending', deps.findWithoutVector(hits.map((hit) => hit.chunkId)));
    return hits;
  };

  const [vector, keyword] = await Promise.allSettled([
    options.mode === 'keyword' ? [] : searchVectors(),
    options.mode === 'vector' ? [] : searchText(),
  ]);
  if (keyword.status === 'rejected') throw keyword.reason;
  if (vector.status === 'rejected' && options.mode === 'vector') throw toAppError(vector.reason);
  const failed = vector.status === 'rejected';
  const mode = failed ? 'keyword' : options.mode;
  const vectorHits = failed ? [] : vector.value;
  return {
    hits:
      mode === 'hybrid'
        ? fuse(vectorHits, keyword.value, { ...DEFAULT_FUSION, ...options.fusion, depth, withoutVector })
        : single(mode === 'vector' ? vectorHits : keyword.value, mode),
    mode,
    degraded: failed ? toAppError(vector.reason) : undefined,
    timings,
  };
}

/** The keyword engine knows what occurs where: hits it rules out by phrase, prefix or exclusion leave. */
async function keepAllowed(fulltext: Fulltext, query: ParsedQuery, hits: IndexHit[]): Promise<IndexHit[]> {
  if (hits.length === 0) return hits;
  const documentIds = [...new Set(hits.map((hit) => hit.documentId))];
  const find = async (phrases: string[][], prefixes: string[]) =>
    new Set(
      (await fulltext.search({ words: [], phrases, prefixes, excluded: [] }, 10_000, { documentIds })).map(
        (hit) => hit.chunkId,
      ),
    );
  const { phrases, prefixes, excluded } = query.text;
  const required = phrases.length + prefixes.length === 0 ? undefined : await find(phrases, prefixes);
  const refused = await Promise.all(excluded.map((phrase) => find([phrase], [])));
  return hits.filter(
    ({ chunkId }) => (required?.has(chunkId) ?? true) && !refused.some((chunks) => chunks.has(chunkId)),
  );
}

function single(hits: IndexHit[], mode: 'vector' | 'keyword'): FusedHit[] {
  return hits
    .map(({ chunkId, documentId, score }, at) => ({
      chunkId,
      documentId,
      score,
      ...(mode === 'vector'
        ? { vectorScore: score, vectorRank: at + 1 }
        : { keywordScore: score, keywordRank: at + 1 }),
    }))
    .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}
