import { listChunkKeys, unmarkEmbedded } from '../../db/chunks.ts';
import { bumpGeneration, readSpace } from '../../db/index-state.ts';
import { queueDocuments } from '../../db/outbox.ts';
import type { Fulltext } from '../../ports/fulltext.ts';
import type { Vectors } from '../../ports/vectors.ts';
import type { IndexDeps } from './deps.ts';

export interface Differences {
  /** Chunks Postgres has and the index lacks. */
  missing: number;
  /** Rows the index has and Postgres does not. */
  orphaned: number;
}

export interface Reconciled {
  chunks: number;
  /** Chunks that have no vector yet because the indexer has not come to them. */
  waiting: number;
  fulltext: Differences;
  vectors: Differences;
  repaired: boolean;
}

const PAGE = 10_000;
const BATCH = 500;

/**
 * Compares what Postgres says should be found with what the engines hold, both ways, by id. With `repair`, orphans are
 * deleted and documents with missing rows are queued to be indexed again.
 */
export async function reconcile(deps: IndexDeps, repair: boolean): Promise<Reconciled> {
  const { model } = deps.embedder;
  const space = await readSpace(deps.database);
  const vectors =
    space === undefined || space.model === model ? deps.vectors : deps.openVectors(space.model, space.dimension);
  const inForce = space?.model ?? model;
  const wantedText = new Map<string, string>();
  const wantedVectors = new Map<string, string>();
  let after: string | undefined;
  for (;;) {
    const rows = await listChunkKeys(deps.database, after, PAGE);
    for (const row of rows) {
      wantedText.set(row.id, row.document_id);
      if (row.embedding_model === inForce) wantedVectors.set(row.id, row.document_id);
    }
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.id;
  }
  const chunks = wantedText.size;
  const waiting = chunks - wantedVectors.size;
  const orphansOfText = await compare(deps.fulltext, wantedText);
  const orphansOfVectors = await compare(vectors, wantedVectors);
  if (repair) {
    await deleteInBatches(deps.fulltext, orphansOfText);
    await deleteInBatches(vectors, orphansOfVectors);
    await unmarkEmbedded(deps.database, [...wantedVectors.keys()]);
    await queueDocuments(deps.database, [...new Set([...wantedText.values(), ...wantedVectors.values()])]);
    await bumpGeneration(deps.database);
  }
  return {
    chunks,
    waiting,
    fulltext: { missing: wantedText.size, orphaned: orphansOfText.length },
    vectors: { missing: wantedVectors.size, orphaned: orphansOfVectors.length },
    repaired: repair,
  };
}

/** Strikes what the engine has off `wanted`; returns what it has beyond that. What stays in `wanted` is missing. */
async function compare(engine: Fulltext | Vectors, wanted: Map<string, string>): Promise<string[]> {
  const orphans: string[] = [];
  for await (const batch of engine.ids())
    for (const { chunkId } of batch) if (!wanted.delete(chunkId)) orphans.push(chunkId);
  return orphans;
}

async function deleteInBatches(engine: Fulltext | Vectors, chunkIds: readonly string[]): Promise<void> {
  for (let at = 0; at < chunkIds.length; at += BATCH) await engine.deleteChunks(chunkIds.slice(at, at + BATCH));
}
