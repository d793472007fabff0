import { z } from 'zod';
import { Id, Json, Time } from '../schemas.ts';

export const Document = z
  .object({
    id: Id,
    url: z.string(),
    domain: z.string(),
    title: z.string().nullable(),
    language: z.string().nullable(),
    content_type: z.string(),
    kind: z.string().nullable(),
    source: z.enum(['crawl', 'upload', 'api']),
    collection_id: Id.nullable(),
    source_id: Id.nullable(),
    parent_url: z.string().nullable(),
    content_hash: z.string(),
    content_length: z.number().int(),
    metadata: Json,
    version: z.number().int(),
    fetched_at: Time,
    crawled_at: Time.describe('Another name for fetched_at.'),
    created_at: Time,
    updated_at: Time,
    deleted_at: Time.nullable(),
    gone_at: Time.nullable().describe('Since when its page is no longer there.'),
    gone_reason: z.enum(['not_found', 'moved', 'noindex', 'duplicate']).nullable(),
    indexed_at: Time.nullable(),
    indexed: z.boolean().describe('Whether the present version can be found by keyword.'),
    tags: z.array(z.object({ id: Id, name: z.string() })),
  })
  .meta({ id: 'Document' });
export type Document = z.output<typeof Document>;

export const DocumentDetail = Document.extend({
  content: z.string().describe('Markdown; chunk offsets count in it.'),
  chunks: z.number().int(),
}).meta({ id: 'DocumentDetail' });
export type DocumentDetail = z.output<typeof DocumentDetail>;

export const Chunk = z
  .object({
    id: Id,
    document_id: Id,
    chunk_index: z.number().int(),
    start_char: z.number().int(),
    end_char: z.number().int(),
    content: z.string(),
    token_count: z.number().int(),
    heading_path: z.array(z.string()),
    section_header: z.string().nullable().describe('The last heading above it.'),
    content_type: z.enum(['prose', 'code', 'table', 'list']),
    embedding_model: z.string().nullable().describe('Null until its vector is made.'),
  })
  .meta({ id: 'Chunk' });
export type Chunk = z.output<typeof Chunk>;
