import type { App } from '../app.ts';
import type { Crawl } from './crawl.ts';
import { getSource } from './get-source.ts';
import { planCrawl } from './start-crawl.ts';

/** Crawls a source now; its schedule stays as it is. */
export async function triggerSource(app: App, id: string, createdBy?: string): Promise<Crawl> {
  const source = await getSource(app, id);
  return planCrawl(app, {
    kind: 'source',
    urls: [source.url],
    source_id: source.id,
    config_id: source.crawl_config_id ?? undefined,
    collection_id: source.collection_id ?? undefined,
    options: source.options,
    created_by: createdBy,
  });
}
