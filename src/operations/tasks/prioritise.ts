import type { App } from '../../app.ts';
import { setCrawlPriority } from '../../db/crawls/crawls.ts';
import { setTaskPriority } from '../../db/tasks/control-tasks.ts';
import type { Crawl } from '../crawls/crawl.ts';
import { getCrawl } from '../crawls/get-crawl.ts';
import { requireDomain } from '../domains/get-domain.ts';

/** Everything of a domain that waits. */
export async function prioritiseDomain(app: App, name: string, priority: number): Promise<{ moved: number }> {
  const { id } = await requireDomain(app, name);
  return { moved: count(await setTaskPriority(app.database, { domainId: id }, priority)) };
}

/** Everything of a crawl that waits, and what it finds from now on. */
export async function prioritiseCrawl(app: App, id: string, priority: number): Promise<Crawl> {
  await getCrawl(app, id);
  await app.database.transaction(async (tx) => {
    await setTaskPriority(tx, { crawlId: id }, priority);
    await setCrawlPriority(tx, id, priority);
  });
  return getCrawl(app, id);
}

const count = (moves: readonly { moved: number }[]) => moves.reduce((sum, { moved }) => sum + moved, 0);
