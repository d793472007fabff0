import type { z } from 'zod';
import type { App } from '../../app.ts';
import { findJobView } from '../../db/jobs/job-views.ts';
import { insertJob } from '../../db/jobs/jobs.ts';
import { newId } from '../../ids.ts';
import { EXPORT_JOB, type Export, toExport } from './export.ts';
import { type ExportInput, planExport } from './export-input.ts';

/** Queues an export; its state and, when it is done, a link to the file are read by id. */
export async function startExport(app: App, input: z.output<typeof ExportInput>): Promise<Export> {
  const { what } = planExport(input);
  const id = newId();
  await insertJob(app.database, { id, kind: EXPORT_JOB, payload: { ...input, what }, max_attempts: 3 });
  return toExport(app, (await findJobView(app.database, id))!);
}
