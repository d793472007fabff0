import { createHash } from 'node:crypto';
import { insertCrawl, type NewCrawl } from '../../src/db/crawls/crawls.ts';
import { crawlDelta, settleCrawls } from '../../src/db/crawls/settle-crawls.ts';
import { ensureDomains } from '../../src/db/domains/domains.ts';
import { insertTasks, lockCrawls, type NewTask } from '../../src/db/frontier/admit-tasks.ts';
import { markWaiting } from '../../src/db/frontier/frontier.ts';
import { newId } from '../../src/ids.ts';
import type { Database } from '../../src/ports/database.ts';

/** A crawl with one task per URL, as if a user had requested it. */
export async function seedCrawl(
  database: Database,
  urls: readonly string[],
  options: Partial<NewCrawl> & { task?: Partial<NewTask> } = {},
): Promise<string> {
  const id = newId();
  const { task, ...crawl } = options;
  const domains = new Map<string, string>();
  for (const row of await ensureDomains(
    database,
    [...new Set(urls.map((url) => new URL(url).host))].map((domain) => ({ id: newId(), domain })),
  ))
    domains.set(row.domain, row.id);
  await database.transaction(async (tx) => {
    await insertCrawl(tx, {
      id,
      kind: 'deep',
      urls: [...urls],
      strategy: 'bfs',
      max_depth: 10,
      max_pages: 1_000_000,
      pace_ms: 0,
      priority: 5,
      keywords: [],
      score_threshold: 0,
      options: {},
      headers: {},
      tags: [],
      source_id: null,
      crawl_config_id: null,
      collection_id: null,
      created_by: 'test',
      ...crawl,
    });
    const rooms = await lockCrawls(tx, [id]);
    const tasks = urls.map(
      (url): NewTask => ({
        id: newId(),
        crawl_id: id,
        domain_id: domains.get(new URL(url).host)!,
        parent_id: null,
        url,
        url_hash: createHash('sha256').update(url).digest('hex'),
        depth: 0,
        rank: 0,
        priority: 5,
        score: null,
        is_recurring: false,
        interval_s: null,
        visit: 0,
        delay_ms: 0,
        max_retries: 3,
        created_by: 'test',
        status: 'pending',
        ...task,
      }),
    );
    const { admitted } = await insertTasks(tx, tasks, rooms);
    await settleCrawls(tx, [crawlDelta(id, { discovered: admitted.length })]);
  });
  await markWaiting(database, [...domains.values()]);
  return id;
}
