import { z } from 'zod';
import { findDuplicates } from '../../db/search/duplicates.ts';
import { type FoundChunk, findTagIds, loadAround, loadChunks } from '../../db/search/search.ts';
import { AppError } from '../../errors.ts';
import { FETCHED_AT_STEP_MS } from '../../pipeline/index/touch-index.ts';
import { citeLink } from '../../pipeline/search/cite.ts';
import { createHighlighter } from '../../pipeline/search/highlight.ts';
import { parseQuery } from '../../pipeline/search/parse-query.ts';
import { hashRequest, type RankedHit, type RankRequest, rank, type SearchDeps } from '../../pipeline/search/ranking.ts';
import { DEFAULT_FUSION, DEPTH, type SearchMode } from '../../pipeline/search/retrieve.ts';
import type { IndexFilter } from '../../ports/index-filter.ts';
import { toDomainFilter } from '../domains/domain.ts';
import { decodeCursor, encodeCursor } from '../paging.ts';
import type { SearchRequest, SearchResponse, SearchResult } from './search-schema.ts';

const Cursor = z.tuple([z.string(), z.string(), z.number(), z.string()]);

/** A question in, the right passages out, each with the exact place it came from. */
export async function searchDocuments(
  app: SearchDeps,
  input: SearchRequest,
  mode: SearchMode = 'hybrid',
): Promise<SearchResponse> {
  const start = performance.now();
  const query = parseQuery(input.query);
  const request: RankRequest = {
    query,
    mode,
    filter: await buildFilter(app, input),
    fusion: fusionOf(input),
    minScore: input.min_score,
    collapse: input.collapse,
    // Documents requested by id are all shown.
    fold: input.duplicates !== 'show' && input.document_ids == null,
    rerankTop: input.use_reranker ? (input.rerank_top_n ?? app.settings.reranker.topN) : 0,
  };
  const asked = hashRequest(request);
  const cursor = decodeCursor(input.cursor, Cursor);
  if (cursor !== undefined && !(cursor[0] === asked && cursor[1].startsWith(`${asked}.`)))
    throw new AppError('CURSOR_INVALID', 'the cursor belongs to another query');
  const { ranking, key, cached } = await rank(app, request, asked, cursor?.[1]);
  const from = cursor === undefined ? 0 : placeAfter(ranking.hits, cursor[2], cursor[3]);

  const loadStart = performance.now();
  const page = await loadPage(app, input, request.filter.tags, ranking.hits, from);
  const around = await expand(app, input, page.shown);
  const duplicates = ranking.folded ? await loadDuplicates(app, input, page.shown) : undefined;
  const highlight = createHighlighter(query.text);
  const results = page.shown.map(({ hit, chunk }) => ({
    ...toResult(hit, chunk, highlight(chunk.content), around),
    duplicate_count: duplicates?.get(chunk.document_id)?.count ?? 0,
    duplicate_urls: input.duplicates === 'list' ? (duplicates?.get(chunk.document_id)?.urls ?? []) : null,
  }));
  const last = page.shown.at(-1);
  const more = page.next < ranking.hits.length && last !== undefined;
  const loadMs = performance.now() - loadStart;
  return {
    results,
    total_count: ranking.hits.length - page.dropped,
    next_cursor: more ? encodeCursor([asked, key, last.hit.score, last.hit.chunkId]) : null,
    mode: ranking.mode,
    degraded: ranking.degraded !== null,
    degraded_reason: ranking.degraded,
    reranked: ranking.reranked,
    result_cached: cached,
    query_embedding_cached: cached || ranking.queryEmbeddingCached,
    latency_ms: round(performance.now() - start),
    ...(input.explain
      ? {
          explain: {
            query: { normalized: query.normalized, ...query.text },
            model: ranking.model,
            fusion: { ...DEFAULT_FUSION, ...request.fusion },
            depth: DEPTH,
            candidates: ranking.hits.length,
            dropped: page.dropped,
            filter: request.filter,
            ms: { ...ranking.timings, load: round(loadMs) },
          },
        }
      : {}),
  };
}

async function buildFilter(app: SearchDeps, input: SearchRequest): Promise<IndexFilter> {
  const named = input.tags === undefined ? undefined : await findTagIds(app.database, input.tags);
  const tags =
    input.tag_ids === undefined && named === undefined ? undefined : [...(input.tag_ids ?? []), ...(named ?? [])];
  const filter: IndexFilter = {
    ...(input.document_ids && { documentIds: input.document_ids }),
    ...(input.collection_ids && { collectionIds: input.collection_ids }),
    ...(input.domains && { domains: [...new Set(input.domains.map(toDomainFilter))] }),
    ...(tags && { tags }),
    ...(input.source_types && { sources: input.source_types }),
    ...(input.content_types && { contentTypes: input.content_types }),
    ...(input.languages && { languages: input.languages }),
    ...(input.date_from && { fetchedFrom: input.date_from.getTime() - FETCHED_AT_STEP_MS }),
    ...(input.date_to && { fetchedTo: input.date_to.getTime() }),
  };
  return filter;
}

function fusionOf(input: SearchRequest): RankRequest['fusion'] {
  const method = input.fusion ?? (input.rrf_k === undefined ? undefined : 'rrf');
  return {
    ...(method && { method }),
    ...(input.rrf_k && { k: input.rrf_k }),
    ...(input.vector_weight !== undefined && { vectorWeight: input.vector_weight }),
    ...(input.keyword_weight !== undefined && { keywordWeight: input.keyword_weight }),
  };
}

/** Where the next page starts. The list is the one the cursor came from, or a newer one in which the hit may have moved. */
function placeAfter(hits: readonly RankedHit[], score: number, chunkId: string): number {
  const same = hits.findIndex((hit) => hit.chunkId === chunkId);
  if (same >= 0) return same + 1;
  const lower = hits.findIndex((hit) => hit.score < score || (hit.score === score && hit.chunkId > chunkId));
  return lower < 0 ? hits.length : lower;
}

/** Fills a page from the ranking; what is no longer there is passed over. */
async function loadPage(
  app: SearchDeps,
  input: SearchRequest,
  tagIds: readonly string[] | undefined,
  hits: readonly RankedHit[],
  from: number,
) {
  const { limit } = input;
  const shown: { hit: RankedHit; chunk: FoundChunk }[] = [];
  let next = from;
  let dropped = 0;
  while (shown.length < limit && next < hits.length) {
    const slice = hits.slice(next, next + limit - shown.length + 2);
    const loaded = await loadChunks(
      app.database,
      slice.map((hit) => hit.chunkId),
      {
        collectionIds: input.collection_ids,
        tagIds,
        fetchedFrom: input.date_from ?? undefined,
        fetchedTo: input.date_to ?? undefined,
      },
    );
    const chunks = new Map(loaded.map((chunk) => [chunk.id, chunk]));
    for (const hit of slice) {
      if (shown.length === limit) break;
      next++;
      const chunk = chunks.get(hit.chunkId);
      if (chunk === undefined) dropped++;
      else shown.push({ hit, chunk });
    }
  }
  return { shown, next, dropped };
}

async function loadDuplicates(app: SearchDeps, input: SearchRequest, shown: readonly { chunk: FoundChunk }[]) {
  const ids = [...new Set(shown.map(({ chunk }) => chunk.document_id))];
  const rows = await findDuplicates(app.database, ids, input.collection_ids ?? undefined);
  return new Map(rows.map((row) => [row.id, row]));
}

async function expand(
  app: SearchDeps,
  input: SearchRequest,
  shown: readonly { hit: RankedHit }[],
): Promise<Map<string, string[]> | undefined> {
  const reach = input.expand ?? (input.expand_chunks ? 'neighbours' : 'none');
  if (reach === 'none') return undefined;
  const rows = await loadAround(
    app.database,
    shown.map(({ hit }) => hit.chunkId),
    reach,
  );
  const around = new Map<string, string[]>(shown.map(({ hit }) => [hit.chunkId, []]));
  for (const row of rows) around.get(row.around)?.push(row.content);
  return around;
}

function toResult(
  hit: RankedHit,
  chunk: FoundChunk,
  highlights: SearchResult['highlights'],
  around: Map<string, string[]> | undefined,
): Omit<SearchResult, 'duplicate_count' | 'duplicate_urls'> {
  const { id, heading_path, token_count: _, ...place } = chunk;
  return {
    ...place,
    chunk_id: id,
    heading_path,
    section_header: heading_path.at(-1) ?? null,
    score: hit.score,
    vector_score: hit.vectorScore ?? null,
    vector_rank: hit.vectorRank ?? null,
    keyword_score: hit.keywordScore ?? null,
    keyword_rank: hit.keywordRank ?? null,
    rerank_score: hit.rerankScore ?? null,
    source: hit.vectorRank === undefined ? 'keyword' : hit.keywordRank === undefined ? 'vector' : 'fused',
    highlights,
    citation: citeLink(chunk.url, chunk.content, highlights),
    expanded_chunks: around?.get(id) ?? null,
  };
}

const round = (ms: number) => Math.round(ms * 100) / 100;
