import type { App } from '../../app.ts';
import { getCrawlRow } from '../../db/crawls/crawls.ts';
import { AppError } from '../../errors.ts';
import { type Crawl, toCrawl } from './crawl.ts';

export async function getCrawl(app: App, id: string): Promise<Crawl> {
  const row = await getCrawlRow(app.database, id);
  if (row === undefined) throw new AppError('NOT_FOUND', `there is no crawl ${id}`);
  return toCrawl(row);
}
