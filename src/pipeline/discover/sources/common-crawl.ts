import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import { stripEnd } from '../../../text/strip-end.ts';
import type { DiscoverContext, DiscoveredUrl } from '../types.ts';

/** How many crawls, newest first, are queried before a site counts as unknown. */
const MAX_CRAWLS = 3;
const MAX_PAGES = 200;
const MAX_BYTES = 50 * 1024 * 1024;

const Crawls = z.array(z.object({ id: z.string(), 'cdx-api': z.string() }));
const PageCount = z.union([z.object({ pages: z.number().int().min(0) }).transform(({ pages }) => pages), z.number()]);
const Capture = z.object({
  url: z.string(),
  timestamp: z.string().optional(),
  status: z.string().optional(),
  mime: z.string().optional(),
});

/** Pages of the site that the newest Common Crawl with any holds, read page by page by its CDX index protocol. */
export async function* discoverFromCommonCrawl(context: DiscoverContext): AsyncGenerator<DiscoveredUrl> {
  const base = stripEnd(context.commonCrawlUrl, /\//);
  const list = readAs(Crawls, (await context.client.ask(`${base}/collinfo.json`)).body);
  for (const crawl of list.slice(0, MAX_CRAWLS)) {
    const api = URL.parse(crawl['cdx-api'], `${base}/`)?.href;
    if (api === undefined) continue;
    let any = false;
    for await (const found of readCrawl(context, api)) {
      any = true;
      yield found;
    }
    if (any) return;
  }
}

async function* readCrawl(context: DiscoverContext, api: string): AsyncGenerator<DiscoveredUrl> {
  const query = (more: Record<string, string>) => {
    const host = context.site.host.replace(/^www\./, '');
    // A leading star matches the host and its subdomains; IP addresses have none.
    const url = /[a-z]/i.test(host) && host.includes('.') ? `*.${host}` : `${host}/*`;
    return `${api}?${new URLSearchParams({ url, output: 'json', ...more })}`;
  };
  const counted = await askIndex(context, query({ showNumPages: 'true' }));
  if (counted === undefined) return;
  const pages = Math.min(MAX_PAGES, readAs(PageCount, counted));
  for (let page = 0; page < pages; page++) {
    const body = await askIndex(context, query({ page: String(page), fl: 'url,timestamp,status,mime' }));
    if (body !== undefined) yield* readCaptures(body);
  }
}

/** The index answers 404 where it has no capture. */
async function askIndex(context: DiscoverContext, url: string): Promise<Uint8Array | undefined> {
  try {
    return (await context.client.ask(url, MAX_BYTES)).body;
  } catch (error) {
    if (error instanceof AppError && error.failure?.status === 404) return undefined;
    throw error;
  }
}

/** One JSON object a line. Only what was a page when it was captured. */
function* readCaptures(body: Uint8Array): Generator<DiscoveredUrl> {
  const text = new TextDecoder().decode(body);
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? text.length : end);
    start = end === -1 ? text.length : end + 1;
    const capture = Capture.safeParse(parseLine(line));
    if (!capture.success) continue;
    const { url, timestamp, status = '200', mime = 'text/html' } = capture.data;
    if (status !== '200' || !/html|pdf|text|unk/i.test(mime) || /\/robots\.txt$/.test(url)) continue;
    const lastModified = timestamp === undefined ? undefined : toIso(timestamp);
    yield { url, source: 'common_crawl', ...(lastModified !== undefined && { lastModified }) };
  }
}

/** 20240506070809 → ISO 8601. */
function toIso(timestamp: string): string | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(timestamp);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}

function readAs<Schema extends z.ZodType>(schema: Schema, body: Uint8Array): z.output<Schema> {
  const parsed = schema.safeParse(parseLine(new TextDecoder().decode(body).trim()));
  if (!parsed.success) throw new AppError('RESPONSE_INVALID', 'the Common Crawl index answers in an unknown way');
  return parsed.data;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
