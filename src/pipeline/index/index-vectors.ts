import { findDocumentsToEmbed, findUnembedded, markEmbedded, type UnembeddedChunk } from '../../db/search/chunks.ts';
import { bumpGeneration } from '../../db/search/index-state.ts';
import { finishOutbox, type OutboxRow, passOutbox } from '../../db/search/outbox.ts';
import { validateVector } from '../../text/validate-vector.ts';
import { CACHE_PREFIX } from './cache-keys.ts';
import type { IndexDeps } from './deps.ts';
import { embeddingText } from './embedding-text.ts';
import { indexFields } from './index-text.ts';

/** Chunks embedded in one go: a few seconds of work, so that urgent documents soon get their turn. */
const SLICE = 48;

/**
 * Second stage: makes the vectors the documents' chunks lack, one slice at a time; a document with more of them goes
 * back in line. Returns how many were made.
 */
export async function indexVectors(deps: IndexDeps, rows: readonly OutboxRow[]): Promise<number> {
  const { model } = deps.embedder;
  const ids = [...new Set(rows.map((row) => row.document_id))];
  const chunks = await findUnembedded(deps.database, ids, model, SLICE);
  if (chunks.length > 0) {
    const vectors = await embedChunks(deps, chunks);
    await deps.vectors.upsert(
      chunks.map((chunk, at) => ({
        chunkId: chunk.id,
        ...indexFields({ ...chunk, id: chunk.document_id }, chunk.content_type),
        vector: vectors[at]!,
      })),
    );
  }
  const present = await deps.database.transaction(async (tx) => {
    const marked = await markEmbedded(
      tx,
      chunks.map((chunk) => chunk.id),
      model,
    );
    const left = await findDocumentsToEmbed(tx, ids, model);
    await passOutbox(
      tx,
      rows.filter((row) => left.has(row.document_id)),
      'vector',
    );
    await finishOutbox(
      tx,
      rows.filter((row) => !left.has(row.document_id)),
    );
    if (chunks.length > 0) await bumpGeneration(tx);
    return marked;
  });
  // A document that was changed or deleted meanwhile took its chunks along; their vectors must not outlive them.
  await deps.vectors.deleteChunks(chunks.filter((chunk) => !present.has(chunk.id)).map((chunk) => chunk.id));
  return chunks.length;
}

/** Texts seen before, under whatever document, are not embedded again while the cache remembers them. */
async function embedChunks(deps: IndexDeps, chunks: readonly UnembeddedChunk[]): Promise<Float32Array[]> {
  const { embedder, cache } = deps;
  const keys = chunks.map((chunk) => `${CACHE_PREFIX.embedding}${embedder.model}:${chunk.content_hash.slice(0, 32)}`);
  const vectors = await Promise.all(keys.map(async (key) => toVector(await cache.get(key), embedder.dimension)));
  const missing = chunks.map((_, at) => at).filter((at) => vectors[at] === undefined);
  const made = await embedder.embed(
    missing.map((at) =>
      embeddingText({
        title: chunks[at]!.title ?? '',
        headingPath: chunks[at]!.heading_path,
        content: chunks[at]!.content,
      }),
    ),
    'document',
  );
  await Promise.all(
    missing.map(async (at, row) => {
      const vector = validateVector(made[row] ?? [], embedder.dimension);
      vectors[at] = vector;
      await cache.set(keys[at]!, toBytes(vector), deps.settings.cache.embedTtlS * 1_000);
    }),
  );
  return vectors as Float32Array[];
}

export const toBytes = (vector: Float32Array) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

export function toVector(bytes: Uint8Array | undefined, dimension: number): Float32Array | undefined {
  if (bytes?.byteLength !== dimension * 4) return undefined;
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
