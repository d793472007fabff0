import { createHash } from 'node:crypto';
import {
  type ChunkRow,
  deleteDocumentChunks,
  findChunkKeys,
  findRemovedChunks,
  forgetRemovedChunks,
  type IndexDocument,
  insertChunks,
  lockDocuments,
  markIndexed,
} from '../../db/search/chunks.ts';
import { bumpGeneration } from '../../db/search/index-state.ts';
import { finishOutbox, type OutboxRow, passOutbox } from '../../db/search/outbox.ts';
import { newId } from '../../ids.ts';
import type { IndexFields } from '../../ports/index-filter.ts';
import { chunkText } from './chunk.ts';
import type { IndexDeps } from './deps.ts';
import { embeddingText, fittingSize } from './embedding-text.ts';
import { withAllSpaces } from './spaces.ts';
import type { ChunkOptions } from './types.ts';

type KnownChunk = Awaited<ReturnType<typeof findChunkKeys>>[number];

interface Planned {
  documents: IndexDocument[];
  /** Deleted since: nothing of them may stay. */
  gone: string[];
  chunks: ChunkRow[];
  /** Chunks no longer there, of this pass and of passes that did not come to their end. */
  removed: string[];
}

/**
 * First stage: splits the documents, stores their chunks and makes them findable by keyword. A chunk whose text is
 * unchanged keeps its id and its vector. Every step can be done twice, so a crash anywhere only repeats work.
 * Returns how many chunks were written.
 */
export async function indexText(
  deps: IndexDeps,
  countTokens: (text: string) => number,
  rows: readonly OutboxRow[],
): Promise<number> {
  const plan = await storeChunks(deps, countTokens, [...new Set(rows.map((row) => row.document_id))]);
  await writeEngines(deps, plan);
  const waiting = new Set(plan.chunks.filter((chunk) => chunk.embedding_model === null).map((c) => c.document_id));
  await deps.database.transaction(async (tx) => {
    await markIndexed(tx, plan.documents);
    await forgetRemovedChunks(tx, plan.removed);
    await passOutbox(
      tx,
      rows.filter((row) => waiting.has(row.document_id)),
      'vector',
    );
    await finishOutbox(
      tx,
      rows.filter((row) => !waiting.has(row.document_id)),
    );
    await bumpGeneration(tx);
  });
  return plan.chunks.length;
}

/** Postgres first: what the engines hold is checked against it, never the other way round. */
function storeChunks(deps: IndexDeps, countTokens: (text: string) => number, ids: string[]): Promise<Planned> {
  return deps.database.transaction(async (tx) => {
    const documents = await lockDocuments(tx, ids);
    const known = await findChunkKeys(tx, ids);
    const chunks = documents.flatMap((document) =>
      cutDocument(
        deps,
        document,
        known.filter((chunk) => chunk.document_id === document.id),
        countTokens,
      ),
    );
    await deleteDocumentChunks(
      tx,
      ids,
      chunks.map((chunk) => chunk.id),
    );
    await insertChunks(tx, chunks);
    const present = new Set(documents.map((document) => document.id));
    return {
      documents,
      gone: ids.filter((id) => !present.has(id)),
      chunks,
      removed: await findRemovedChunks(tx, ids),
    };
  });
}

function cutDocument(
  deps: IndexDeps,
  document: IndexDocument,
  known: readonly KnownChunk[],
  countTokens: (text: string) => number,
): ChunkRow[] {
  const options: ChunkOptions = { ...deps.settings.chunk, ...document.chunking };
  options.size = fittingSize(options.size ?? 512, deps.embedder.maxTokens);
  const reusable = Map.groupBy(known, (chunk) => chunk.content_hash);
  return chunkText(document.content, options, countTokens).map((chunk, at) => {
    const text = embeddingText({ title: document.title ?? '', headingPath: chunk.headingPath, content: chunk.content });
    const hash = createHash('sha256').update(text).digest('hex');
    const same = reusable.get(hash)?.shift();
    return {
      id: same?.id ?? newId(),
      document_id: document.id,
      document_version: document.version,
      chunk_index: at,
      start_char: chunk.start,
      end_char: chunk.end,
      content: chunk.content,
      content_hash: hash,
      token_count: chunk.tokens,
      heading_path: chunk.headingPath,
      content_type: chunk.type,
      embedding_model: same?.embedding_model === deps.embedder.model ? deps.embedder.model : null,
    };
  });
}

async function writeEngines(deps: IndexDeps, { documents, gone, chunks, removed }: Planned): Promise<void> {
  await deps.fulltext.deleteDocuments(gone);
  await deps.fulltext.deleteChunks(removed);
  if (gone.length + removed.length > 0)
    await withAllSpaces(deps, async (vectors) => {
      await vectors.deleteDocuments(gone);
      await vectors.deleteChunks(removed);
    });
  const byId = new Map(documents.map((document) => [document.id, document]));
  await deps.fulltext.upsert(
    chunks.map((chunk) => {
      const document = byId.get(chunk.document_id)!;
      return {
        chunkId: chunk.id,
        ...indexFields(document, chunk.content_type),
        title: document.title ?? '',
        headings: chunk.heading_path.join(' '),
        content: chunk.content,
      };
    }),
  );
  // Vectors that stay must be found under the document's present collection, tags and time.
  const kept = new Set(chunks.filter((chunk) => chunk.embedding_model !== null).map((chunk) => chunk.document_id));
  for (const id of kept) {
    const { contentType: _, documentId: __, ...fields } = indexFields(byId.get(id)!, 'prose');
    await deps.vectors.updateFields?.(id, fields);
  }
}

export function indexFields(
  document: Pick<IndexDocument, 'collection_id' | 'domain' | 'tag_ids' | 'source' | 'language' | 'fetched_at'> & {
    id: string;
  },
  contentType: IndexFields['contentType'],
): IndexFields {
  return {
    documentId: document.id,
    collectionId: document.collection_id,
    domain: document.domain,
    tags: document.tag_ids,
    source: document.source,
    contentType,
    language: document.language,
    fetchedAt: document.fetched_at.getTime(),
  };
}
