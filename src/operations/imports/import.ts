import { basename } from 'node:path';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { getCrawlRow } from '../../db/crawls/crawls.ts';
import type { ImportRow } from '../../db/imports/imports.ts';
import { Crawl, toCrawl } from '../crawls/crawl.ts';
import { found } from '../found.ts';
import { Id, Time } from '../schemas.ts';

/** An archive that is read as if it had been fetched. Its pages are those of a crawl with the same id. */
export const Import = z
  .object({
    id: Id.describe('Also the id of its crawl.'),
    name: z.string(),
    records: z.number().int().describe('Records read so far.'),
    taken: z.number().int().describe('Pages that became tasks.'),
    ignored: z.number().int().describe('Records that hold no page: requests, metadata, redirects, robots.txt.'),
    refused: Crawl.shape.links_refused.describe('Pages that were not taken, by the reason.'),
    problem: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .describe('Why it could not be read to its end; what stands before that was taken.'),
    read_at: Time.nullable().describe('When it was read to its end; its pages may still be waiting for a parser.'),
    created_at: Time,
    crawl: Crawl,
  })
  .meta({ id: 'Import' });
export type Import = z.output<typeof Import>;

export async function toImport(app: App, row: ImportRow): Promise<Import> {
  const crawl = toCrawl(found(await getCrawlRow(app.database, row.crawl_id), 'crawl', row.crawl_id));
  const { crawl_id: id, name, records, taken, ignored, problem, created_at, completed_at: read_at } = row;
  return { id, name, records, taken, ignored, refused: crawl.links_refused, problem, read_at, created_at, crawl };
}

/** The last part of a path, as it may be shown and stored. */
export const archiveName = (path: string): string =>
  basename(path.replaceAll('\\', '/')).replaceAll('\0', '').slice(0, 200).toWellFormed() || 'archive';
