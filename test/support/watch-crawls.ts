import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CrawlRow, getCrawlRow } from '../../src/db/crawls/crawls.ts';
import { PLANNED } from '../../src/db/tasks/states.ts';
import { type Engine, eventually } from './engine.ts';
import { startWebServer, type WebServer } from './web-server.ts';

type Handler = (path: string, request: IncomingMessage, response: ServerResponse) => void;

export const words = 'Plain words about the page that make it worth keeping for somebody.';
export const html = (response: ServerResponse, links: readonly string[] = [], text = words) => {
  response.setHeader('content-type', 'text/html');
  response.end(
    `<title>${text.slice(0, 20)}</title><p>${text}</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}`,
  );
};

/** A site of its own domain: loopback and a port. robots.txt is missing unless the handler answers it. */
export const openSite = (handle: Handler): Promise<WebServer> =>
  startWebServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/robots.txt') response.statusCode = 404;
    handle(path, request, response);
    if (path === '/robots.txt') response.end();
  });

interface TaskState {
  id: string;
  url: string;
  status: string;
  code: string | null;
  priority: number;
  attempt: number;
  http_status: number | null;
  visit: number;
  ready: boolean;
  retry_at: Date | null;
  due_in_s: number;
}

/** What the crawls of an engine come to. It is asked for when it is needed: tests start it late. */
export function watchCrawls(engine: () => Pick<Engine, 'database'>) {
  const tasksOf = (crawlId: string) =>
    engine().database.query<TaskState>(
      `SELECT id, url, status, code, priority, attempt, http_status, visit, ready, retry_at,
         extract(epoch FROM due_at - now())::float8 AS due_in_s
       FROM tasks WHERE crawl_id = $1 ORDER BY url, visit`,
      [crawlId],
    );
  const untilCrawl = (id: string, holds: (crawl: CrawlRow) => boolean) =>
    eventually(
      async () => (await getCrawlRow(engine().database, id))!,
      (crawl) => holds(crawl),
    );
  const ended = (crawl: CrawlRow) => crawl.completed_at !== null;
  /** The counters of a crawl, beside what its tasks say. */
  const compare = async (id: string) => {
    const [row] = await engine().database.query<{ counted: object; found: object }>(
      `SELECT
         json_build_object('planned', visits_planned, 'discovered', pages_discovered, 'crawled', pages_crawled, 'failed', pages_failed, 'skipped', pages_skipped,
           'cancelled', pages_cancelled) AS counted,
         (SELECT json_build_object('planned', count(*) FILTER (WHERE ${PLANNED('t')}),
           'discovered', count(*) FILTER (WHERE NOT ${PLANNED('t')}), 'crawled', count(*) FILTER (WHERE t.status = 'completed'),
           'failed', count(*) FILTER (WHERE t.status = 'failed'), 'skipped', count(*) FILTER (WHERE t.status = 'skipped'),
           'cancelled', count(*) FILTER (WHERE t.status = 'cancelled')) FROM tasks t WHERE t.crawl_id = c.id) AS found
       FROM crawls c WHERE c.id = $1`,
      [id],
    );
    assert.deepEqual(row!.counted, row!.found);
  };
  return { tasksOf, untilCrawl, ended, compare };
}
