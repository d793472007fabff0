import type { z } from 'zod';
import type { App } from '../../app.ts';
import type { ExportRow } from './batches.ts';
import { type ExportFormat, type ExportInput, planExport } from './export-input.ts';
import { exportColumns, readExportRows } from './export-rows.ts';
import { writeCsv } from './formats/csv.ts';
import { writeJsonl } from './formats/jsonl.ts';
import { writeMarkdown } from './formats/markdown.ts';
import { writeParquet } from './formats/parquet.ts';
import { writeWarc } from './formats/warc.ts';

const FILES: Record<ExportFormat, { ending: string; contentType: string }> = {
  jsonl: { ending: 'jsonl', contentType: 'application/jsonl; charset=utf-8' },
  csv: { ending: 'csv', contentType: 'text/csv; charset=utf-8; header=present' },
  parquet: { ending: 'parquet', contentType: 'application/vnd.apache.parquet' },
  md: { ending: 'zip', contentType: 'application/zip' },
  warc: { ending: 'warc.gz', contentType: 'application/warc' },
};

/** How far an export is. */
export interface ExportProgress {
  rows: number;
  bytes: number;
  /** Of the last row read: an export that breaks off goes on after it. */
  lastId: string | undefined;
}

export interface OpenExport {
  name: string;
  contentType: string;
  /** Made while it is read; a failure on the way rejects, so that no part of it passes for the whole. */
  body: AsyncGenerator<Uint8Array>;
  /** True at every moment. */
  progress: Readonly<ExportProgress>;
}

/** Opens an export: checked, named, and read to its end by the caller that pulls it, in memory that does not grow with its length. */
export function openExport(app: App, input: z.output<typeof ExportInput>): OpenExport {
  const plan = planExport(input);
  const { ending, contentType } = FILES[plan.format];
  const name = `crawl4r-${plan.what}-${new Date().toISOString().slice(0, 10)}.${ending}`;
  const progress: ExportProgress = { rows: 0, bytes: 0, lastId: plan.cursor };
  const count = (rows: readonly ExportRow[]) => {
    progress.rows += rows.length;
    progress.lastId = rows.at(-1)?.id ?? progress.lastId;
  };
  const columns = exportColumns(plan.what);
  const rows = () => counted(readExportRows(app, plan), count);
  const pieces = {
    jsonl: () => writeJsonl(rows(), columns),
    csv: () => writeCsv(rows(), columns),
    parquet: () => writeParquet(rows(), columns),
    md: () => writeMarkdown(rows()),
    warc: () => writeWarc(app, plan, name, count),
  }[plan.format]();
  return { name, contentType, progress, body: weighed(pieces, progress) };
}

async function* counted(batches: AsyncIterable<ExportRow[]>, count: (rows: ExportRow[]) => void) {
  for await (const rows of batches) {
    yield rows;
    count(rows);
  }
}

async function* weighed(pieces: AsyncIterable<Uint8Array>, progress: ExportProgress): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    progress.bytes += piece.length;
    yield piece;
  }
}
