import { AppError } from '../../../errors.ts';
import { readSitemap, type SitemapEntry } from '../sitemap.ts';
import type { DiscoverContext, DiscoveredUrl } from '../types.ts';
import { resolveHref } from '../xml-reader.ts';

const FALLBACKS = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.txt'];
/** An index of indexes is seen in the field; more than that is a loop with changing addresses. */
const MAX_NESTING = 4;
const MAX_BYTES = 50 * 1024 * 1024;

/** Sitemaps named by robots.txt, else (if requested) at the usual places; indexes are followed, each address once. */
export async function* discoverFromSitemaps(
  context: DiscoverContext,
  source: 'sitemap' | 'robots',
): AsyncGenerator<DiscoveredUrl> {
  const { sitemaps } = await context.client.robots(context.site.origin);
  const named = sitemaps.flatMap((written) => resolveHref(written, context.site.origin) ?? []);
  const seen = new Set<string>();
  if (named.length > 0 || source === 'robots') {
    for await (const found of walk(context, named, seen)) yield { ...found, source };
    return;
  }
  for (const path of FALLBACKS) {
    let any = false;
    for await (const found of walk(context, [context.site.origin + path], seen)) {
      any = true;
      yield found;
    }
    if (any) return;
  }
}

async function* walk(context: DiscoverContext, start: string[], seen: Set<string>): AsyncGenerator<DiscoveredUrl> {
  const waiting = start.map((url) => ({ url, depth: 0 }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (context.full) return;
    if (seen.has(next.url)) continue;
    if (seen.size >= context.maxSitemaps) {
      context.report(next.url, new AppError('LINK_LIMIT', `more than ${context.maxSitemaps} sitemaps`));
      return;
    }
    seen.add(next.url);
    const entries = readOne(context, next.url);
    for await (const entry of entries) {
      if (entry.type === 'url') yield* toDiscovered(entry);
      else if (seen.has(entry.url)) continue;
      else if (next.depth + 1 > MAX_NESTING)
        context.report(entry.url, new AppError('DEPTH_LIMIT', 'sitemap indexes are nested too deeply'));
      else if (waiting.length < context.maxSitemaps) waiting.push({ url: entry.url, depth: next.depth + 1 });
    }
  }
}

async function* readOne(context: DiscoverContext, url: string): AsyncGenerator<SitemapEntry> {
  try {
    const response = await context.client.get(url, MAX_BYTES);
    const contentType = response.headers['content-type'];
    const reading = readSitemap(response.body, response.url, { ...(contentType !== undefined && { contentType }) });
    while (true) {
      const step = await reading.next();
      if (step.done === true) {
        const { kind, problem } = step.value;
        if (problem !== undefined) context.report(url, new AppError(problem, 'the sitemap was not read to its end'));
        else if (kind === 'unknown') context.report(url, new AppError('PARSE_FAILED', 'this is no sitemap'));
        return;
      }
      yield step.value;
    }
  } catch (error) {
    context.report(url, error);
  }
}

function* toDiscovered(entry: SitemapEntry): Generator<DiscoveredUrl> {
  const { lastModified, changeFrequency, priority, title } = entry;
  yield {
    url: entry.url,
    source: 'sitemap',
    ...(lastModified !== undefined && { lastModified }),
    ...(changeFrequency !== undefined && { changeFrequency }),
    ...(priority !== undefined && { priority }),
    ...(title !== undefined && { title }),
  };
  for (const { url, language } of entry.alternates ?? []) yield { url, source: 'sitemap', language };
}
