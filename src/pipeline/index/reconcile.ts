import { findChunkStates, listChunkKeys, unmarkEmbedded } from '../../db/search/chunks.ts';
import { bumpGeneration, readSpace } from '../../db/search/index-state.ts';
import { queueDocuments } from '../../db/search/outbox.ts';
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
  /** Chunks that have no vector of the model in the settings yet because the indexer has not come to them. */
  waiting: number;
  fulltext: Differences;
  vectors: Differences;
  repaired: boolean;
}

const PAGE = 10_000;
const BATCH = 500;

/**
 * Compares what Postgres says should be found with what the engines hold, both ways, by id. With `repair`, orphans are
 * deleted and documents with missing rows are queued to be indexed again. While another model takes over, both spaces of
 * vectors are compared: the old one still answers.
 */
export async function reconcile(deps: IndexDeps, repair: boolean): Promise<Reconciled> {
  const { model } = deps.embedder;
  const documents = new Map<string, string>();
  const embedded = new Map<string, Set<string>>();
  let after: string | undefined;
  for (;;) {
    const rows = await listChunkKeys(deps.database, after, PAGE);
    for (const row of rows) {
      documents.set(row.id, row.document_id);
      if (row.embedding_model === null) continue;
      const marked = embedded.get(row.embedding_model) ?? new Set();
      embedded.set(row.embedding_model, marked.add(row.id));
    }
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.id;
  }
  const waiting = documents.size - (embedded.get(model)?.size ?? 0);
  const mend = async (engine: Fulltext | Vectors, wanted: Set<string>, unmark: boolean): Promise<Differences> => {
    const { missing, orphaned } = await compare(deps, engine, documents, wanted, !unmark);
    if (repair) {
      for (let at = 0; at < orphaned.length; at += BATCH) await engine.deleteChunks(orphaned.slice(at, at + BATCH));
      if (unmark) await unmarkEmbedded(deps.database, missing);
      await queueDocuments(deps.database, [...new Set(missing.map((id) => documents.get(id)!))]);
    }
    return { missing: missing.length, orphaned: orphaned.length };
  };
  const fulltext = await mend(deps.fulltext, new Set(documents.keys()), false);
  const vectors = await mend(deps.vectors, embedded.get(model) ?? new Set(), true);
  const inForce = await readSpace(deps.database);
  if (inForce !== undefined && inForce.model !== model) {
    await using old = deps.openVectors(inForce.model, inForce.dimension);
    const found = await mend(old, embedded.get(inForce.model) ?? new Set(), true);
    vectors.missing += found.missing;
    vectors.orphaned += found.orphaned;
  }
  if (repair) await bumpGeneration(deps.database);
  return { chunks: documents.size, waiting, fulltext, vectors, repaired: repair };
}

/**
 * What the engine lacks of what it should hold, and what it holds of chunks that are gone. Both are looked up once more:
 * a document that changed, came or went since the list was read is no difference, nor is one whose turn is still to come.
 */
async function compare(
  deps: IndexDeps,
  engine: Fulltext | Vectors,
  known: ReadonlyMap<string, string>,
  wanted: ReadonlySet<string>,
  text: boolean,
): Promise<{ missing: string[]; orphaned: string[] }> {
  const missing = new Set(wanted);
  const unknown: string[] = [];
  for await (const batch of engine.ids())
    for (const { chunkId } of batch) if (!missing.delete(chunkId) && !known.has(chunkId)) unknown.push(chunkId);
  const states = await findChunkStates(deps.database, [...missing, ...unknown]);
  return {
    missing: [...missing].filter((id) => {
      const state = states.get(id);
      return state?.live === true && !(text && state.waiting);
    }),
    orphaned: unknown.filter((id) => {
      const state = states.get(id);
      return state === undefined || !(state.live || state.waiting);
    }),
  };
}
