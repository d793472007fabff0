import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import type { PageBody } from '../fetch/fetch-page.ts';
import type { CrawlContext } from '../frontier/crawl-context.ts';
import type { PageOutcome } from '../outcome.ts';
import { toRawMeta } from './raw-meta.ts';

/**
 * Where fetching and parsing are two roles: the response is stored, and a parser goes on from there. What the answer shows
 * about the site counts now; the content of the page counts with the parser's outcome.
 */
export function handOver(task: ClaimedTask, crawl: CrawlContext, body: PageBody): PageOutcome {
  return {
    task,
    crawl,
    candidates: [],
    refused: {},
    result: {
      status: 'downloaded',
      code: null,
      message: null,
      http_status: body.status,
      response_ms: Math.round(body.totalMs),
      raw_meta: { ...toRawMeta(body, crawl), ...(body.reused ? {} : toFetchedMeta(body)) },
      delay_ms: 0,
      failed: 0,
    },
    ...(body.rawRef === undefined ? { raw: body.body } : { rawRef: body.rawRef }),
    feedback: !body.asked ? {} : { ok: true, ...(body.latencyMs === undefined ? {} : { latencyMs: body.latencyMs }) },
  };
}

/** What a parser has to know beside the bytes, to end the visit as if it had fetched the page itself. */
const toFetchedMeta = (body: PageBody): Record<string, string> => ({
  downloaded: 'true',
  total_ms: String(Math.round(body.totalMs)),
  ...(body.etag === undefined ? {} : { etag: body.etag }),
  ...(body.lastModified === undefined ? {} : { last_modified: body.lastModified }),
  ...(body.moved ? { moved: 'true' } : {}),
});
