import type { App } from '../../app.ts';
import { findJobView } from '../../db/jobs/job-views.ts';
import { found } from '../found.ts';
import { type Discovery, toDiscovery } from './discovery.ts';

export async function getDiscovery(app: App, id: string): Promise<Discovery> {
  const job = await findJobView(app.database, id);
  return toDiscovery(found(job?.kind === 'discover' ? job : undefined, 'discovery', id));
}
