import { EXPORT_JOB, type ExportFile } from '../operations/exports/export.ts';
import { ExportInput } from '../operations/exports/export-input.ts';
import { type OpenExport, openExport } from '../operations/exports/open-export.ts';
import type { Job } from './job.ts';

const TELL_EVERY_MS = 1_000;

/** Writes an export into the blobs. A run that ends early leaves nothing behind; the next one starts over. */
export const exportJob: Job = {
  kind: EXPORT_JOB,
  timeoutS: 6 * 3_600,
  async run({ app, signal, progress }, payload) {
    const open = openExport(app, ExportInput.parse(payload));
    const tell = () => progress({ rows: open.progress.rows, bytes: open.progress.bytes });
    const { reference, size } = await app.blobs.write(pieces(open, signal, tell));
    return {
      reference,
      name: open.name,
      content_type: open.contentType,
      rows: open.progress.rows,
      bytes: size,
    } satisfies ExportFile;
  },
};

async function* pieces({ body }: OpenExport, signal: AbortSignal, tell: () => Promise<void>) {
  let toldAt = performance.now();
  for await (const piece of body) {
    signal.throwIfAborted();
    yield piece;
    if (performance.now() - toldAt < TELL_EVERY_MS) continue;
    toldAt = performance.now();
    await tell();
  }
}
