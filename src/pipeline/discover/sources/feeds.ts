import { parseFeed } from '../feed.ts';
import type { PageLinks } from '../page-links.ts';
import type { DiscoverContext, DiscoveredUrl } from '../types.ts';

const FALLBACKS = ['/feed', '/rss.xml', '/atom.xml', '/feed.xml'];
const MAX_FEEDS = 20;

/** Entries of the feeds the home page names, else of one at the usual places. */
export async function* discoverFromFeeds(
  context: DiscoverContext,
  home: () => Promise<PageLinks>,
): AsyncGenerator<DiscoveredUrl> {
  const feeds = await home().then(
    (page) => page.feeds,
    (error: unknown) => {
      context.report(context.site.url, error);
      return [];
    },
  );
  const named = [...new Set(feeds)].slice(0, MAX_FEEDS);
  for (const url of named) yield* readOne(context, url);
  if (named.length > 0) return;
  for (const path of FALLBACKS) {
    let any = false;
    for await (const found of readOne(context, context.site.origin + path)) {
      any = true;
      yield found;
    }
    if (any) return;
  }
}

async function* readOne(context: DiscoverContext, url: string): AsyncGenerator<DiscoveredUrl> {
  try {
    const response = await context.client.get(url);
    const contentType = response.headers['content-type'];
    const feed = await parseFeed(response.body, response.url, { ...(contentType !== undefined && { contentType }) });
    for (const entry of feed.entries) {
      if (entry.url === undefined) continue;
      const lastModified = entry.updated ?? entry.published;
      yield {
        url: entry.url,
        source: 'feeds',
        ...(lastModified !== undefined && { lastModified }),
        ...(entry.title !== '' && { title: entry.title }),
        ...(feed.language !== undefined && { language: feed.language }),
      };
    }
  } catch (error) {
    context.report(url, error);
  }
}
