import { LRUCache } from 'lru-cache';
import type { App } from '../../app.ts';
import { releaseHold } from '../../db/crawls/crawls.ts';
import { crawlDelta, type Refusals, settleCrawls } from '../../db/crawls/settle-crawls.ts';
import { CRAWLS_OPEN } from '../../db/crawls/states.ts';
import { wakeReaders } from '../../db/events/wake-readers.ts';
import { lockCrawls } from '../../db/frontier/admit-tasks.ts';
import {
  advanceImport,
  completeImport,
  failEmptyCrawl,
  findImport,
  type ImportRow,
  insertStoredTasks,
} from '../../db/imports/imports.ts';
import { AppError, toAppError } from '../../errors.ts';
import type { ArchiveFile } from '../../pipeline/archive/archive-file.ts';
import { type ArchivedPage, readArchive } from '../../pipeline/archive/read-archive.ts';
import { MAX_WRITTEN } from '../../pipeline/archive/write-visit.ts';
import { announceDownloads } from '../../pipeline/frontier/announce.ts';
import { refuse } from '../../pipeline/frontier/refusals.ts';
import { found } from '../found.ts';
import { judgePages, type KnownBodies, storeBodies, toStoredTask } from './import-pages.ts';

const BATCH = 200;
const BATCH_BYTES = 8 * 1024 * 1024;

interface Batch {
  records: number;
  ignored: number;
  bytes: number;
  pages: ArchivedPage[];
  refused: Refusals;
}

const emptyBatch = (): Batch => ({ records: 0, ignored: 0, bytes: 0, pages: [], refused: {} });

/**
 * Reads an archive into its crawl: each page becomes a task whose response is stored, which parsers take over as they take over
 * those of a fetcher. Nothing is requested. Batches commit with the number of records they came from, so that a second run
 * goes on behind them.
 *
 * A damaged archive ends where the damage is; what stands before is kept, and the import says so. Rejects when it could not go on for
 * another reason, and with CANCELLED when its crawl is over.
 */
export async function readImport(
  app: App,
  id: string,
  file: ArchiveFile,
  { signal, onBatch }: { signal?: AbortSignal | undefined; onBatch?: (row: ImportRow) => Promise<void> | void } = {},
): Promise<ImportRow> {
  const start = found(await findImport(app.database, id), 'import', id);
  if (start.completed_at !== null) return start;
  const bodies: KnownBodies = new LRUCache({ max: MAX_WRITTEN * 2 });
  let problem: AppError | undefined;
  let batch = emptyBatch();
  let behind = start.records;
  const flush = async () => {
    await storeBatch(app, id, batch, bodies);
    batch = emptyBatch();
    await onBatch?.((await findImport(app.database, id))!);
  };
  try {
    for await (const item of readArchive(file, app.settings.fetch.maxBytes)) {
      signal?.throwIfAborted();
      // Of a run before this one; what later records refer to is needed all the same.
      if (behind > 0) {
        behind--;
        if (item.kind === 'page' && item.payload !== undefined) await storeBodies(app, [item], bodies);
        continue;
      }
      batch.records++;
      if (item.kind === 'ignored') batch.ignored++;
      else if (item.kind === 'refused') refuse(batch.refused, item.code, [item.url]);
      else {
        batch.pages.push(item);
        batch.bytes += item.body?.length ?? 0;
      }
      if (batch.pages.length >= BATCH || batch.bytes >= BATCH_BYTES || batch.records >= BATCH * 50) await flush();
    }
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== 'ARCHIVE_INVALID' && error.code !== 'DECOMPRESSION_BOMB') throw error;
    problem = error;
  }
  if (batch.records > 0) await flush();
  await endImport(app, id, problem);
  return (await findImport(app.database, id))!;
}

async function storeBatch(app: App, id: string, batch: Batch, bodies: KnownBodies): Promise<void> {
  const { database } = app;
  const { taken, domainIds } = await judgePages(app, batch.pages, batch.refused);
  const stored = await storeBodies(app, taken, bodies);
  const lost = taken.filter((page) => !stored.has(page));
  refuse(
    batch.refused,
    'RAW_MISSING',
    lost.map(({ url }) => url),
  );
  const admitted = await database.transaction(async (tx) => {
    const [locked] = await lockCrawls(tx, [id]);
    if (locked === undefined || !CRAWLS_OPEN.includes(locked.status))
      throw new AppError('CANCELLED', 'the crawl of this import is over');
    const tasks = [...stored].map(([page, reference]) =>
      toStoredTask(page, reference, {
        crawlId: id,
        domainId: domainIds.get(page.domain)!,
        priority: locked.priority,
        maxRetries: app.settings.job.maxRetries,
        paused: locked.status === 'paused',
      }),
    );
    const made = await insertStoredTasks(tx, tasks);
    const ids = new Set(made.map((task) => task.id));
    // The transaction may run again: what it counts stays its own.
    const refused = structuredClone(batch.refused);
    refuse(
      refused,
      'CAPTURE_REPEATED',
      tasks.filter((task) => !ids.has(task.id)).map(({ url }) => url),
    );
    await advanceImport(tx, id, { records: batch.records, taken: made.length, ignored: batch.ignored });
    await settleCrawls(tx, [crawlDelta(id, { discovered: made.length, refused })]);
    return locked.status === 'paused' ? [] : made;
  });
  await announceDownloads(app, admitted);
  await wakeReaders(app.pubsub);
}

/** Also called when an import is given up: its crawl must not wait for it. */
export async function endImport(app: App, id: string, problem: AppError | undefined): Promise<void> {
  const unused = await app.database.transaction(async (tx) => {
    const kept = await completeImport(
      tx,
      id,
      problem === undefined ? undefined : { code: problem.code, message: problem.message },
    );
    await releaseHold(tx, id);
    await settleCrawls(tx, [crawlDelta(id)]);
    await failEmptyCrawl(
      tx,
      id,
      problem?.code ?? 'NOTHING_FETCHED',
      problem?.message ?? 'no page of this archive was taken: see links_refused',
    );
    return kept;
  });
  if (unused !== undefined) await app.blobs.delete([unused]);
  await wakeReaders(app.pubsub);
}
