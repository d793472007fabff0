import { claimOptimizer } from '../../db/search/index-state.ts';
import { claimOutbox, countOutbox, type OutboxRow, type OutboxStage, returnOutbox } from '../../db/search/outbox.ts';
import { toAppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { IndexDeps } from './deps.ts';
import { giveWay as giveEventLoop } from './give-way.ts';
import { indexText } from './index-text.ts';
import { indexVectors } from './index-vectors.ts';
import { prepareSpace, switchSpace } from './spaces.ts';
import { loadTokenCounter } from './tokens.ts';
import { touchIndex } from './touch-index.ts';

export interface IndexerOptions {
  pollMs?: number;
  leaseS?: number;
  /** Names the worker in leases; one is made up when absent. */
  worker?: string;
  /** How bulk work lets others have the event loop; tests bring their own. */
  giveWay?: typeof giveEventLoop;
}

export interface Indexer {
  /** Works until the signal aborts; what is in flight is finished first. */
  run(signal: AbortSignal): Promise<void>;
  /** Works until nothing waits; for tests and commands. */
  drain(): Promise<void>;
}

/** Documents a lane takes at once; of those that are short, vectors need more to fill a slice. */
const BATCH: Record<OutboxStage, number> = { text: 16, vector: 32, touch: 1_000 };
/** How long to wait before the next query to a database that did not answer. */
const DOWN_MS = 2_000;
/** Documents of this priority or a better one never yield: a caller waits for them. */
const URGENT = 3;
/** Two slices are always on the way: one is being embedded while the other is being written. */
const VECTOR_LANES = 2;

/**
 * Brings documents from the outbox into the indexes, in lanes that do not wait for each other: text is findable at
 * once, however many vectors are still to be made; vectors follow, urgent documents first.
 */
export function createIndexer(deps: IndexDeps, options: IndexerOptions = {}): Indexer {
  const { pollMs = 250, leaseS = 120, worker = `indexer-${newId()}`, giveWay = giveEventLoop } = options;
  const tidy = createTidying(deps, worker);
  let counter: Promise<(text: string) => number> | undefined;

  const countTokens = () => {
    const folder = deps.settings.embedder.path;
    counter ??= loadTokenCounter(folder === undefined ? undefined : `${folder}/tokenizer.json`);
    return counter;
  };
  const work = async (stage: OutboxStage, rows: readonly OutboxRow[]) => {
    if (stage === 'text') {
      tidy.wrote(await indexText(deps, await countTokens(), rows));
    } else if (stage === 'vector') tidy.wrote(await indexVectors(deps, rows));
    else tidy.wrote(await touchIndex(deps, rows));
  };
  /** One turn of a lane; returns the rows it took. */
  const turn = async (stage: OutboxStage): Promise<readonly OutboxRow[]> => {
    const rows = await claimOutbox(deps.database, { stage, worker, limit: BATCH[stage], leaseS });
    if (rows.length === 0) return rows;
    try {
      await work(stage, rows);
    } catch {
      // One bad document must not hold up the others: each is tried by itself.
      for (const row of rows)
        await work(stage, [row]).catch(async (thrown) => {
          const error = toAppError(thrown);
          deps.log.warn('index_failed', { document: row.document_id, stage, code: error.code, error: error.message });
          await returnOutbox(deps.database, [row], `${error.code}: ${error.message}`);
        });
    }
    return rows;
  };
  const lane = async (stage: OutboxStage, signal: AbortSignal) => {
    while (!signal.aborted) {
      const start = performance.now();
      const rows = await turn(stage).catch((error) => {
        deps.log.warn('indexer_waits', { stage, error: toAppError(error).message });
        return undefined;
      });
      if (rows === undefined || rows.length === 0) await pause(rows === undefined ? DOWN_MS : pollMs, signal);
      else if (stage !== 'vector' && rows.every(({ priority }) => priority > URGENT))
        await giveWay(performance.now() - start, (ms) => pause(ms, signal));
    }
  };

  return {
    async run(signal) {
      for (let ready = false; !ready && !signal.aborted; ) {
        ready = await prepareSpace(deps).then(
          () => true,
          (error) => {
            deps.log.warn('indexer_waits', { error: toAppError(error).message });
            return pause(DOWN_MS, signal).then(() => false);
          },
        );
      }
      await Promise.all([
        lane('text', signal),
        lane('touch', signal),
        ...Array.from({ length: VECTOR_LANES }, () => lane('vector', signal)),
        tidy.run(signal),
      ]);
    },
    async drain() {
      await prepareSpace(deps);
      while ((await turn('text')).length + (await turn('vector')).length + (await turn('touch')).length > 0);
      await switchSpace(deps);
    },
  };
}

/** Compacting costs about as much as the table is big, so it waits for a share of it to be new, or for a quiet moment. */
const TIDY_ROWS = 1_000;
const TIDY_SHARE = 0.02;
const TIDY_MS = 5_000;

function createTidying(deps: IndexDeps, worker: string) {
  // Whatever an earlier run left behind is tidied in the first quiet moment.
  let pending = 1;
  let total = 0;
  const optimize = async () => {
    if (!(await claimOptimizer(deps.database, worker, 600))) return;
    const rows = pending;
    await deps.fulltext.optimize?.();
    await deps.vectors.optimize?.();
    total = await deps.fulltext.count();
    pending -= rows;
  };
  return {
    wrote(rows: number) {
      pending += rows;
    },
    async run(signal: AbortSignal) {
      while (!signal.aborted) {
        await pause(TIDY_MS, signal);
        if (signal.aborted) return;
        try {
          const waiting = await countOutbox(deps.database);
          const quiet = waiting.text + waiting.vector === 0;
          if (quiet) await switchSpace(deps);
          total ||= await deps.fulltext.count();
          if (pending > Math.max(TIDY_ROWS, total * TIDY_SHARE) || (quiet && pending > 0)) await optimize();
        } catch (error) {
          deps.log.warn('index_tidying_failed', { error: toAppError(error).message });
        }
      }
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
