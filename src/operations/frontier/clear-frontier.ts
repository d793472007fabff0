import { z } from 'zod';
import type { App } from '../../app.ts';
import { listOpenCrawlIds } from '../../db/frontier/frontier-views.ts';
import { requireDomain } from '../domains/get-domain.ts';
import { Id } from '../schemas.ts';
import { controlTasks } from '../tasks/control-task.ts';

export const ClearFrontierInput = z.strictObject({
  crawl_id: Id.optional(),
  domain: z.string().trim().min(1).max(260).optional(),
});

export const FrontierCleared = z.object({ cancelled: z.number().int() });

/** Cancels what waits: of a crawl, of a domain, or everywhere. What is under way is not kept. */
export async function clearFrontier(
  app: App,
  input: z.output<typeof ClearFrontierInput>,
): Promise<z.output<typeof FrontierCleared>> {
  const domainId = input.domain === undefined ? undefined : (await requireDomain(app, input.domain)).id;
  if (input.crawl_id !== undefined || domainId !== undefined)
    return { cancelled: await controlTasks(app, { crawlId: input.crawl_id, domainId }, 'cancel') };
  let cancelled = 0;
  for (const { id } of await listOpenCrawlIds(app.database))
    cancelled += await controlTasks(app, { crawlId: id }, 'cancel');
  return { cancelled };
}
