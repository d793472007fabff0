import type { App } from '../app.ts';
import { findJobView } from '../db/job-views.ts';
import { type Discovery, toDiscovery } from './discovery.ts';
import { found } from './found.ts';

export async function getDiscovery(app: App, id: string): Promise<Discovery> {
  const job = await findJobView(app.database, id);
  return toDiscovery(found(job?.kind === 'discover' ? job : undefined, 'discovery', id));
}
