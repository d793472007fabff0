import type { z } from 'zod';
import type { App } from '../../app.ts';
import { findJobView } from '../../db/jobs/job-views.ts';
import { insertJob } from '../../db/jobs/jobs.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { requireUrl } from '../checked-url.ts';
import { type Discovery, type DiscoveryInput, toDiscovery } from './discovery.ts';

/** Queues a discovery; its state and result are read by id. */
export async function startDiscovery(app: App, input: z.output<typeof DiscoveryInput>): Promise<Discovery> {
  if (!app.settings.features.enableUrlDiscovery)
    throw new AppError('FORBIDDEN', 'discovery is turned off', { hint: 'Set FEATURES__ENABLE_URL_DISCOVERY=true.' });
  const site = /^https?:\/\//i.test(input.domain) ? input.domain : `https://${input.domain}`;
  requireUrl(app.guard, site, 'domain');
  const id = newId();
  const max_urls = Math.min(input.max_urls, app.settings.discover.maxUrls);
  await insertJob(app.database, { id, kind: 'discover', payload: { ...input, max_urls }, max_attempts: 3 });
  return toDiscovery((await findJobView(app.database, id))!);
}
