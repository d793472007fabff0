import { createHash } from 'node:crypto';
import { findDuplicateGroups } from '../../db/search/duplicates.ts';
import { findWithoutVector, type IndexState } from '../../db/search/search.ts';
import { AppError, toAppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Cache } from '../../ports/cache.ts';
import type { Database, Sql } from '../../ports/database.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { Fulltext } from '../../ports/fulltext.ts';
import type { IndexFilter } from '../../ports/index-filter.ts';
import type { Reranker } from '../../ports/reranker.ts';
import type { Vectors } from '../../ports/vectors.ts';
import { validateVector } from '../../text/validate-vector.ts';
import { CACHE_PREFIX } from '../index/cache-keys.ts';
import { toBytes, toVector } from '../index/index-vectors.ts';
import { collapse } from './collapse.ts';
import { foldDuplicates } from './fold-duplicates.ts';
import type { FusedHit, FuseOptions } from './fuse.ts';
import type { ParsedQuery } from './parse-query.ts';
import { decodeRanking, encodeRanking } from './ranking-bytes.ts';
import { readStateShared } from './read-state.ts';
import { remember } from './remember.ts';
import { rerankHits } from './rerank-hits.ts';
import { DEPTH, retrieve, type SearchMode } from './retrieve.ts';

/** Candidates of each engine where folding leaves few. */
const DEEPER = 5 * DEPTH;

export interface SearchDeps {
  readonly settings: { cache: { queryTtlS: number; queryEmbedTtlS: number }; reranker: { topN: number } };
  readonly log: Log;
  readonly database: Database;
  readonly cache: Cache;
  readonly embedder: Embedder;
  readonly vectors: Vectors;
  openVectors(model: string, dimension: number): Vectors;
  /** The embedder that made the vectors in force, when the settings name another by now. */
  openEmbedder?(choice: unknown): Embedder | undefined;
  readonly fulltext: Fulltext;
  readonly reranker: Reranker | undefined;
}

export interface RankRequest {
  query: ParsedQuery;
  mode: SearchMode;
  filter: IndexFilter;
  fusion: Partial<Omit<FuseOptions, 'depth'>>;
  minScore: number;
  collapse: boolean;
  /** Whether only the best of documents that are nearly the same stays. */
  fold: boolean;
  /** How many of the best are read again by the reranker; 0: none. */
  rerankTop: number;
}

export type RankedHit = FusedHit & { rerankScore?: number };

export interface Ranking {
  hits: RankedHit[];
  mode: SearchMode;
  degraded: string | null;
  /** What is degraded may be well again in a moment: the list is not kept. */
  passing: boolean;
  reranked: boolean;
  queryEmbeddingCached: boolean;
  timings: Record<string, number>;
  model: string | null;
  /** Whether some hits may stand for documents that are nearly the same. */
  folded: boolean;
}

export interface FoundRanking {
  ranking: Ranking;
  /** Names this ranking in a cursor: later pages are cut from it, whatever is written meanwhile. */
  key: string;
  cached: boolean;
}

/**
 * The ranked list for a request (`asked` is its hash): kept until anything that can be found changes, since the index
 * generation is part of its key. `key` of an earlier answer returns the same list while it is kept.
 */
export async function rank(deps: SearchDeps, request: RankRequest, asked: string, key?: string): Promise<FoundRanking> {
  if (key !== undefined) {
    const kept = await deps.cache.get(CACHE_PREFIX.query + key).catch(() => undefined);
    if (kept !== undefined) return { ranking: decodeRanking(kept), key, cached: true };
  }
  const state = await readStateShared(deps.database, request.filter.collectionIds ?? []);
  const { generation, unknownCollections } = state;
  if (unknownCollections.length > 0)
    throw new AppError('NOT_FOUND', `there is no collection ${unknownCollections[0]}`, {
      details: { collection_ids: unknownCollections },
      hint: 'GET /api/v1/collections lists them.',
    });
  const fresh = `${asked}.${generation}`;
  let made: Ranking | undefined;
  const { value, cached } = await remember(
    deps.cache,
    CACHE_PREFIX.query + fresh,
    deps.settings.cache.queryTtlS * 1_000,
    async () => {
      made = await makeRanking(deps, request, state);
      return { value: encodeRanking(made), keep: !made.passing };
    },
  );
  return { ranking: made ?? decodeRanking(value), key: fresh, cached };
}

async function makeRanking(deps: SearchDeps, request: RankRequest, state: IndexState): Promise<Ranking> {
  const { space } = state;
  const engines = enginesOf(deps, space);
  let queryEmbeddingCached = false;
  const embedQuery = async (text: string) => {
    if (engines.embedder === undefined) throw new Error('the model that made the vectors cannot be opened any more');
    const { embedder } = engines;
    const hash = createHash('sha256').update(text.toLowerCase()).digest('hex').slice(0, 32);
    const found = await remember(
      deps.cache,
      `${CACHE_PREFIX.queryEmbedding}${embedder.model}:${hash}`,
      deps.settings.cache.queryEmbedTtlS * 1_000,
      async () => {
        const [vector] = await embedder.embed([text], 'query');
        return { value: toBytes(validateVector(vector ?? [], embedder.dimension)), keep: true };
      },
    );
    queryEmbeddingCached = found.cached;
    return toVector(found.value, embedder.dimension)!;
  };
  const engineDeps = {
    fulltext: deps.fulltext,
    vectors: engines.vectors,
    embedQuery,
    findWithoutVector: state.indexing ? (ids: readonly string[]) => findWithoutVector(deps.database, ids) : undefined,
  };
  const find = (depth: number) => {
    const { mode, filter, fusion } = request;
    return retrieve(engineDeps, request.query, { mode, filter, fusion, depth });
  };
  const folded = request.fold && state.duplicates;
  let { hits, mode, degraded, timings } = await find(DEPTH);
  if (folded) {
    const all = hits;
    hits = await fold(deps.database, all);
    // Copies that take most places hide what else there is: look deeper, once.
    if (all.length >= DEPTH && hits.length < all.length / 2) {
      ({ hits, mode, degraded, timings } = await find(DEEPER));
      hits = await fold(deps.database, hits);
    }
  }
  if (degraded !== undefined)
    deps.log.warn('search_degraded', { code: degraded.code, error: degraded.message, cause: String(degraded.cause) });
  const good = hits.filter((hit) => hit.score >= request.minScore);
  const kept = request.collapse ? collapse(good) : good;
  const ranking: Ranking = {
    hits: kept,
    mode,
    degraded: degraded === undefined ? null : `searched by keyword only: ${degraded.message}`,
    passing: degraded !== undefined,
    reranked: false,
    queryEmbeddingCached,
    timings,
    folded,
    model: mode === 'keyword' ? null : (space?.model ?? deps.embedder.model),
  };
  if (request.rerankTop > 0 && deps.reranker === undefined)
    ranking.degraded ??= 'not reranked: no reranker is configured (RERANKER__PATH, RERANKER__URL or TEI__RERANK_URL)';
  else if (request.rerankTop > 0 && deps.reranker !== undefined) {
    const start = performance.now();
    try {
      ranking.hits = await rerankHits(deps.database, deps.reranker, request.query.meaning, kept, request.rerankTop);
      ranking.reranked = true;
    } catch (error) {
      ranking.degraded ??= `not reranked: ${toAppError(error).message}`;
      ranking.passing = true;
    }
    timings.rerank = Math.round((performance.now() - start) * 100) / 100;
  }
  return ranking;
}

async function fold(sql: Sql, hits: FusedHit[]): Promise<FusedHit[]> {
  return foldDuplicates(hits, await findDuplicateGroups(sql, [...new Set(hits.map(({ documentId }) => documentId))]));
}

/** Engines of an older model stay open for the process: they are few and used often. */
const older = new WeakMap<Database, Map<string, { embedder: Embedder | undefined; vectors: Vectors }>>();

function enginesOf(deps: SearchDeps, space: IndexState['space']) {
  if (space === undefined || space.model === deps.embedder.model)
    return { embedder: deps.embedder, vectors: deps.vectors };
  const opened = older.get(deps.database) ?? new Map();
  older.set(deps.database, opened);
  if (!opened.has(space.model))
    opened.set(space.model, {
      embedder: deps.openEmbedder?.(space.choice),
      vectors: deps.openVectors(space.model, space.dimension),
    });
  return opened.get(space.model) as { embedder: Embedder | undefined; vectors: Vectors };
}

/** Everything the ranked list depends on but the index itself. */
export function hashRequest(request: RankRequest): string {
  const { query, ...rest } = request;
  const parts = JSON.stringify([query.normalized.toLowerCase(), rest], (_, value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}
