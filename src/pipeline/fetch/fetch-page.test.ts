import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import type { Room } from '../../gate.ts';
import type { CrawlContext } from '../frontier/crawl-context.ts';
import { type FetchDeps, fetchPage } from './fetch-page.ts';
import { Turn } from './turn.ts';

/** Brings a page that its site redirects once, in a turn with time enough; says which further places were asked for. */
async function fetchRedirected(delayMs: number): Promise<string[]> {
  const asked: string[] = [];
  const deps = {
    fetcher: {
      async fetch(request: Parameters<FetchDeps['fetcher']['fetch']>[0]) {
        await request.onRedirect!(request.url, 'http://site.test/new');
        return {
          url: 'http://site.test/new',
          status: 200,
          headers: {},
          body: new Uint8Array(),
          redirects: [],
          timings: { firstByteMs: 1, totalMs: 1 },
        };
      },
    },
    isClosed: () => false,
    takeTurn: async (domain: string) => void asked.push(`a place at ${domain}`),
    userAgent: 'test',
  } as unknown as FetchDeps;
  const task = {
    url: 'http://site.test/old',
    domain: 'site.test',
    domain_id: '1',
    proxy_id: null,
    proxy: null,
    user_agent: null,
    delay_ms: delayMs,
    page_raw_ref: null,
    etag: null,
    last_modified: null,
  } as unknown as ClaimedTask;
  const crawl = { row: { headers: {}, options: { respect_robots_txt: false } } } as unknown as CrawlContext;
  const now = performance.now();
  const turn = new Turn({ delayMs, stepMs: delayMs, lengthMs: 600_000, waitMs: 0, tasks: 1 }, now, now);
  const fetched = await fetchPage(deps, task, crawl, turn, {} as Room);
  assert.equal(fetched.kind, 'body');
  return asked;
}

test('a redirect within the domain is followed in the same turn', async () => {
  assert.deepEqual(await fetchRedirected(5), []);
});

test('without a turn that keeps a delay, a redirect asks for a place of its own', async () => {
  assert.deepEqual(await fetchRedirected(0), ['a place at site.test']);
});
