import type { App } from '../../app.ts';
import type { Crawl } from '../crawls/crawl.ts';
import { getSource } from './get-source.ts';
import { startSource } from './start-source.ts';

/** Crawls a source now; its schedule stays as it is. */
export async function triggerSource(app: App, id: string, createdBy?: string): Promise<Crawl> {
  return startSource(app, await getSource(app, id), { createdBy });
}
