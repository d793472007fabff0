import { z } from 'zod';
import type { App } from '../../app.ts';
import type { JobView } from '../../db/jobs/job-views.ts';
import { JobStatus } from '../admin/job.ts';
import { Id, Json, Time } from '../schemas.ts';
import { ExportFormat, WHAT } from './export-input.ts';

/** How long the link to a finished export works. */
const LINK_S = 3_600;
export const EXPORT_JOB = 'export';

/** An export that is made in the background and kept until it is deleted. */
export const Export = z
  .object({
    id: Id,
    status: JobStatus,
    format: ExportFormat,
    what: z.enum(WHAT),
    filter: Json,
    rows: z.number().int().describe('Rows written so far.'),
    bytes: z.number().int(),
    name: z.string().nullable().describe('The name of the file, once it is there.'),
    url: z
      .string()
      .nullable()
      .describe('A signed link to the file. It works for an hour; asking again gives a new one.'),
    expires_at: Time.nullable(),
    error: z.string().nullable(),
    error_code: z.string().nullable(),
    created_at: Time,
    completed_at: Time.nullable(),
  })
  .meta({ id: 'Export' });
export type Export = z.output<typeof Export>;

/** What a finished export job leaves behind. */
export const ExportFile = z.object({
  reference: z.string(),
  name: z.string(),
  content_type: z.string(),
  rows: z.number().int(),
  bytes: z.number().int(),
});
export type ExportFile = z.output<typeof ExportFile>;

const Payload = z.object({ format: ExportFormat, what: z.enum(WHAT) }).catchall(z.unknown());
const Progress = z.object({ rows: z.number().int(), bytes: z.number().int() });

export async function toExport(app: App, job: JobView): Promise<Export> {
  const { format, what, ...filter } = Payload.parse(job.payload);
  const file = job.status === 'completed' ? ExportFile.parse(job.result) : undefined;
  const { rows, bytes } = file ?? Progress.safeParse(job.progress).data ?? { rows: 0, bytes: 0 };
  const expiresAt = new Date(Date.now() + LINK_S * 1_000);
  const url =
    file === undefined
      ? null
      : await app.blobs.link({ reference: file.reference, name: file.name, contentType: file.content_type }, LINK_S);
  return {
    id: job.id,
    status: job.status,
    format,
    what,
    filter,
    rows,
    bytes,
    name: file?.name ?? null,
    url,
    expires_at: url === null ? null : expiresAt,
    error: job.error,
    error_code: job.error_code,
    created_at: job.created_at,
    completed_at: job.completed_at,
  };
}
