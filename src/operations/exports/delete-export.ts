import type { App } from '../../app.ts';
import { deleteExportJob } from '../../db/exports/export-jobs.ts';
import { cancelJobRow } from '../../db/jobs/control-jobs.ts';
import { found } from '../found.ts';
import { getExport } from './get-export.ts';

/** Ends an export that is under way, and removes its file. */
export async function deleteExport(app: App, id: string): Promise<void> {
  await getExport(app, id);
  await cancelJobRow(app.database, id);
  const { unused } = found(await deleteExportJob(app.database, id), 'export', id);
  if (unused !== null) await app.blobs.delete([unused]);
}
