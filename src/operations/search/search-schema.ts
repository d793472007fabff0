import { z } from 'zod';
import { meansFields, type OtherNames } from '../other-names.ts';
import { Id, Moment, Time } from '../schemas.ts';

const ids = (what: string) => z.array(z.uuid()).max(100).optional().describe(what);

const Fields = z.strictObject({
  query: z
    .string()
    .max(10_000)
    .describe('Words; "a phrase" must occur, word* stands for its beginnings, -word must not occur. 1,000 characters.'),
  collection_ids: ids('Only documents of these collections.'),
  tag_ids: ids('Only documents with one of these tags.'),
  tags: z.array(z.string().trim().toLowerCase().min(1).max(100)).max(100).optional().describe('Tags by name.'),
  document_ids: ids('Only these documents.'),
  domains: z.array(z.string().trim().toLowerCase().min(1).max(260)).max(100).optional(),
  date_from: Moment.optional().describe('Fetched at or after.'),
  date_to: Moment.optional().describe('Fetched at or before.'),
  source_types: z.array(z.enum(['crawl', 'upload', 'api'])).optional(),
  content_types: z.array(z.enum(['prose', 'code', 'table', 'list'])).optional(),
  languages: z.array(z.string().trim().toLowerCase().min(2).max(20)).max(50).optional(),
  min_score: z
    .number()
    .default(0)
    .describe(
      'Hits with a lower score are left out. Scores of hybrid search are 0 to 1, .5 being the average candidate; of vectors -1 to 1.',
    ),
  fusion: z
    .enum(['scores', 'rrf'])
    .optional()
    .describe('How both lists become one: by how far a hit stands out (scores), or by rank alone (rrf).'),
  rrf_k: z.number().int().min(1).max(1_000).optional().describe('The k of rrf, 60 by default; giving it chooses rrf.'),
  vector_weight: z.number().min(0).max(100).optional(),
  keyword_weight: z.number().min(0).max(100).optional(),
  use_reranker: z.boolean().default(false),
  rerank_top_n: z.number().int().min(1).max(100).optional(),
  expand_chunks: z
    .boolean()
    .default(false)
    .describe('Also return the neighbouring chunks; same as expand: neighbours.'),
  expand: z.enum(['none', 'neighbours', 'section']).optional(),
  collapse: z.boolean().default(false).describe('Only the best chunk of every document.'),
  duplicates: z
    .enum(['fold', 'list', 'show'])
    .default('fold')
    .describe(
      'Documents that are nearly the same. fold: the best of them stands for all; list: their addresses too; show: each for itself.',
    ),
  explain: z.boolean().default(false),
  limit: z.number().int().min(1).max(100).default(10),
  cursor: z.string().max(1_000).optional(),
});

const FILTERS = ['collection_ids', 'tag_ids', 'domains', 'date_from', 'date_to', 'source_types'] as const;

const otherNames: OtherNames = {
  filters: meansFields(
    z
      .strictObject(Object.fromEntries(FILTERS.map((name) => [name, Fields.shape[name].nullable()])))
      .describe('The filters, kept together.'),
    (filters) => filters,
  ),
};

export const SearchRequest = Fields.meta({ id: 'SearchRequest', otherNames });
export type SearchRequest = z.output<typeof SearchRequest>;

export const SearchResult = z
  .object({
    document_id: Id,
    chunk_id: Id,
    url: z.string(),
    title: z.string().nullable(),
    domain: z.string(),
    collection_id: Id.nullable(),
    content: z.string(),
    score: z.number(),
    vector_score: z.number().nullable(),
    vector_rank: z.number().int().nullable(),
    keyword_score: z.number().nullable(),
    keyword_rank: z.number().int().nullable(),
    rerank_score: z.number().nullable(),
    source: z.enum(['vector', 'keyword', 'fused']).describe('Which engine found it.'),
    highlights: z.array(z.tuple([z.number().int(), z.number().int()])).describe('[start, end) in content.'),
    section_header: z.string().nullable(),
    heading_path: z.array(z.string()),
    content_type: z.enum(['prose', 'code', 'table', 'list']),
    language: z.string().nullable(),
    chunk_index: z.number().int(),
    start_char: z.number().int().describe("Where the chunk starts in the document's content."),
    end_char: z.number().int(),
    fetched_at: Time,
    content_hash: z.string().describe("SHA-256 of the document's text."),
    citation: z.string().describe('The address with a text fragment that scrolls to the passage.'),
    expanded_chunks: z.array(z.string()).nullable(),
    duplicate_count: z.number().int().describe('Other documents it stands for, nearly the same as its own.'),
    duplicate_urls: z
      .array(z.string())
      .nullable()
      .describe('Their first 50 addresses, where `duplicates: list` asked for them.'),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.output<typeof SearchResult>;

export const SearchResponse = z
  .object({
    results: z.array(SearchResult),
    total_count: z.number().int().describe('Hits among the best candidates, not all matches there may be.'),
    next_cursor: z.string().nullable(),
    mode: z.enum(['hybrid', 'vector', 'keyword']).describe('What was really searched.'),
    degraded: z.boolean(),
    degraded_reason: z.string().nullable(),
    reranked: z.boolean(),
    result_cached: z.boolean(),
    query_embedding_cached: z.boolean(),
    latency_ms: z.number(),
    explain: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'SearchResponse' });
export type SearchResponse = z.output<typeof SearchResponse>;
