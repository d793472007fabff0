import type { App } from '../../app.ts';
import { findJobView } from '../../db/jobs/job-views.ts';
import { found } from '../found.ts';
import { EXPORT_JOB, type Export, toExport } from './export.ts';

export async function getExport(app: App, id: string): Promise<Export> {
  const job = await findJobView(app.database, id);
  return toExport(app, found(job?.kind === EXPORT_JOB ? job : undefined, 'export', id));
}
