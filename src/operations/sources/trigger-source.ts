import type { App } from '../../app.ts';
import { findSource } from '../../db/sources/sources.ts';
import type { Crawl } from '../crawls/crawl.ts';
import { found } from '../found.ts';
import { startSource } from './start-source.ts';

/** Crawls a source now; its schedule stays as it is. */
export async function triggerSource(app: App, id: string, createdBy?: string): Promise<Crawl> {
  return startSource(app, found(await findSource(app.database, id), 'source', id), { createdBy });
}
