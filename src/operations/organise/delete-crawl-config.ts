import type { App } from '../../app.ts';
import { deleteCrawlConfigRow } from '../../db/organise/crawl-configs.ts';
import { found } from '../found.ts';

export async function deleteCrawlConfig(app: App, id: string): Promise<void> {
  found(await deleteCrawlConfigRow(app.database, id), 'config', id);
}
