import { z } from 'zod';
import { findImport } from '../db/imports/imports.ts';
import { toAppError } from '../errors.ts';
import { endImport, readImport } from '../operations/imports/read-import.ts';
import { openArchiveBlob } from '../operations/imports/receive-archive.ts';
import { IMPORT_JOB } from '../operations/imports/start-import.ts';
import type { Job } from './job.ts';

const Payload = z.object({ crawl_id: z.uuid() });

/** Reads a stored archive into its crawl. A second run goes on behind the records of the first. */
export const importJob: Job = {
  kind: IMPORT_JOB,
  timeoutS: 6 * 3_600,
  async run({ app, signal, progress }, payload) {
    const { crawl_id: id } = Payload.parse(payload);
    const row = await findImport(app.database, id);
    // Its crawl was deleted, or it was read already.
    if (row === undefined || row.completed_at !== null) return undefined;
    try {
      const file = await openArchiveBlob(app, row.name, row.blob_ref);
      const { records, taken } = await readImport(app, id, file, {
        signal,
        onBatch: ({ records, taken }) => progress({ records, taken }),
      });
      return { records, taken };
    } catch (thrown) {
      const error = signal.aborted ? toAppError(signal.reason) : toAppError(thrown);
      const comesAgain = signal.aborted ? error.code !== 'TIMEOUT' : error.retryable;
      if (!comesAgain) await endImport(app, id, error);
      throw error;
    }
  },
};
