import type { App } from '../../../app.ts';
import {
  readDocumentVisits,
  readPageVisits,
  readTaskVisits,
  type StoredVisit,
} from '../../../db/exports/stored-responses.ts';
import { createWritten, writeVisit, writeWarcInfo } from '../../../pipeline/archive/write-visit.ts';
import type { Sql } from '../../../ports/database.ts';
import type { ExportRow } from '../batches.ts';
import type { ExportPlan, FilterOf } from '../export-input.ts';
import { listDocumentBatches, readPages, readTasks } from '../export-rows.ts';

/** How many visits are read at once: each may come with kilobytes of header fields. */
const AT_ONCE = 200;

/** WARC 1.1, a gzip member a record. Rows whose response is no longer stored are left out. */
export async function* writeWarc(
  app: App,
  plan: ExportPlan,
  name: string,
  onRows: (rows: readonly ExportRow[]) => void,
): AsyncGenerator<Uint8Array> {
  yield await writeWarcInfo(app.version, name);
  const written = createWritten();
  for await (const visits of readVisits(app, plan, onRows))
    for (const visit of visits) {
      const body = visit.raw_ref === null ? undefined : await app.blobs.get(visit.raw_ref);
      if (body !== undefined) yield await writeVisit(visit, body, written);
    }
}

async function* readVisits(
  app: App,
  plan: ExportPlan,
  onRows: (rows: readonly ExportRow[]) => void,
): AsyncGenerator<StoredVisit[]> {
  const [batches, read] = sourceOf(app, plan);
  for await (const rows of batches) {
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const ids = rows.slice(at, at + AT_ONCE).map(({ id }) => id);
      const visits = await read(app.database, ids);
      yield ids.flatMap((id) => visits.get(id) ?? []);
    }
    onRows(rows);
  }
}

type Visits = (sql: Sql, ids: readonly string[]) => Promise<Map<string, StoredVisit>>;

function sourceOf(app: App, { what, filter, cursor }: ExportPlan): [AsyncIterable<ExportRow[]>, Visits] {
  if (what === 'documents')
    return [listDocumentBatches(app, filter as FilterOf<'documents'>, cursor), readDocumentVisits];
  if (what === 'tasks') return [readTasks(app, filter as FilterOf<'tasks'>, cursor), readTaskVisits];
  return [readPages(app, filter as FilterOf<'pages'>, cursor), readPageVisits];
}
