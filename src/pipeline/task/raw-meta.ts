import type { PageBody } from '../fetch/fetch-page.ts';
import type { CrawlContext } from '../frontier/crawl-context.ts';

/** What is kept beside the bytes of a response, so that it can be read again, and written to an archive as it came. */
export const toRawMeta = (body: PageBody, crawl: CrawlContext): Record<string, string> => ({
  url: body.url,
  status: String(body.status),
  ...(body.contentType === undefined ? {} : { content_type: body.contentType }),
  ...(body.robotsTag === undefined ? {} : { robots_tag: body.robotsTag }),
  ...(body.canonicalLink === undefined ? {} : { canonical_link: body.canonicalLink }),
  ...(body.headerBlock === undefined ? {} : { headers: body.headerBlock }),
  ...(body.ip === undefined ? {} : { ip: body.ip }),
  ...(body.userAgent === undefined ? {} : { user_agent: body.userAgent }),
  ...(body.fetchedAt === undefined ? {} : { fetched_at: body.fetchedAt }),
  ...(body.imported === true ? { imported: 'true' } : {}),
  // The site may have answered to headers of the crawl's own: no other crawl takes it for its answer.
  ...(Object.keys(crawl.row.headers).length === 0 ? {} : { private: 'true' }),
});
