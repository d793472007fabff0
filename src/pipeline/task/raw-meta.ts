import type { PageBody } from '../fetch/fetch-page.ts';

/** What is kept beside the bytes of a response, so that it can be read again. */
export const toRawMeta = (body: PageBody): Record<string, string> => ({
  url: body.url,
  status: String(body.status),
  ...(body.contentType === undefined ? {} : { content_type: body.contentType }),
  ...(body.robotsTag === undefined ? {} : { robots_tag: body.robotsTag }),
});
