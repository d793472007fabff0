import { z } from 'zod';
import type { App } from '../../app.ts';
import { politeClient } from '../polite-client.ts';
import { scrapePage } from './scrape-page.ts';

export const ScrapeInput = z
  .strictObject({
    url: z.url({ protocol: /^https?$/ }).max(2_048),
    render: z
      .enum(['never', 'auto', 'always'])
      .default('auto')
      .describe('Whether a browser runs scripts; auto: where the page is empty without.'),
    timeout_ms: z
      .number()
      .int()
      .min(1_000)
      .max(180_000)
      .default(60_000)
      .describe('How long to wait for the turn of the site.'),
    include_body: z.boolean().default(false).describe('Also answer the response as it came.'),
  })
  .meta({ id: 'ScrapeInput' });

/** One page, read and not kept. */
export const ScrapedPage = z
  .object({
    url: z.string().describe('Where it was found, after redirects.'),
    status: z.number().int(),
    title: z.string(),
    language: z.string().nullable(),
    kind: z.string().describe('What kind of page it seems to be: article, product, listing …'),
    markdown: z.string().describe('The main content.'),
    text: z.string().describe('The same without markup.'),
    canonical: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).describe('What the page says about itself.'),
    headings: z.array(z.object({ level: z.number().int(), text: z.string() })),
    links: z.array(z.object({ url: z.string(), text: z.string(), rel: z.string() })),
    product: z.record(z.string(), z.unknown()).nullable(),
    body: z.base64().optional().describe('With include_body: the bytes of the response.'),
  })
  .meta({ id: 'ScrapedPage' });
export type ScrapedPage = z.output<typeof ScrapedPage>;

type Web = Parameters<typeof scrapePage>[0];

/** Reads one page through the polite client of the server: robots.txt, pace and proxies of the domain hold. */
export const scrape = (app: App, input: z.output<typeof ScrapeInput>, signal?: AbortSignal): Promise<ScrapedPage> =>
  scrapeWith(
    { polite: politeClient(app), fetcher: app.fetcher, browser: app.browser, extractor: app.extractor },
    input,
    signal,
  );

/** The same by any way to the web. */
export async function scrapeWith(
  web: Web,
  input: Pick<z.output<typeof ScrapeInput>, 'url' | 'render' | 'include_body'> & { timeout_ms?: number },
  signal?: AbortSignal,
): Promise<ScrapedPage> {
  const { response, page } = await scrapePage(web, input.url, input.render, {
    ...(input.timeout_ms === undefined ? {} : { patienceMs: input.timeout_ms }),
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    url: response.url,
    status: response.status,
    title: page.title,
    language: page.language ?? null,
    kind: page.kind,
    markdown: page.markdown,
    text: page.text ?? '',
    canonical: page.canonical ?? null,
    metadata: { ...page.metadata },
    headings: page.headings,
    links: page.links,
    product: page.product === undefined ? null : { ...page.product },
    ...(input.include_body ? { body: Buffer.from(response.body).toString('base64') } : {}),
  };
}
