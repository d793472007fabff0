import { AppError, toAppError } from '../../errors.ts';
import { compilePattern } from '../../web/pattern.ts';
import { parseUrl } from '../../web/url.ts';
import { scoreUrls } from '../frontier/relevance.ts';
import { type PageLinks, readPageLinks } from './page-links.ts';
import { createSiteClient } from './site-client.ts';
import { discoverFromCommonCrawl } from './sources/common-crawl.ts';
import { discoverFromFeeds } from './sources/feeds.ts';
import { discoverFromSitemaps } from './sources/sitemaps.ts';
import type {
  DiscoverContext,
  DiscoveredUrl,
  DiscoverProblem,
  DiscoverRequest,
  DiscoverSource,
  DiscoverSummary,
  DiscoverTools,
} from './types.ts';

const MAX_PROBLEMS = 50;
const MAX_SAMPLES = 20;
/** With a query, this many times the wanted number is looked at before the best are kept. */
const CANDIDATES_PER_URL = 20;
const MAX_CANDIDATES = 50_000;

/**
 * The addresses of a site, from the requested sources, in their order, each address once. Results come as they are
 * found; with a query they come at the end, best first. Failures of a part are listed in the summary, which is the
 * return value; it rejects only when the site itself is no address.
 */
export async function* discoverUrls(
  tools: DiscoverTools,
  request: DiscoverRequest,
): AsyncGenerator<DiscoveredUrl, DiscoverSummary> {
  const summary: DiscoverSummary = { found: 0, examined: 0, beyond: { count: 0, samples: [] }, problems: [] };
  const context = createContext(tools, request.site, summary.problems);
  const matches = compilePattern(request.pattern ?? '');
  const seen = new Set<string>();
  const candidates: DiscoveredUrl[] = [];
  const wanted =
    request.query === undefined
      ? request.maxUrls
      : Math.max(request.maxUrls, Math.min(MAX_CANDIDATES, request.maxUrls * CANDIDATES_PER_URL));

  for await (const found of readSources(context, request.sources)) {
    summary.examined++;
    const parsed = parseUrl(found.url);
    if (!parsed.ok || !context.inSite(parsed) || seen.has(parsed.url) || !matches(parsed.url)) continue;
    if (seen.size >= wanted) {
      summary.limit = 'urls';
      context.full = true;
      // The current sitemap is read to its end, to count the addresses left out; no other one is fetched.
      if (found.source !== 'sitemap' && found.source !== 'robots') break;
      summary.beyond.count++;
      if (summary.beyond.samples.length < MAX_SAMPLES) summary.beyond.samples.push(parsed.url);
      continue;
    }
    seen.add(parsed.url);
    const entry = { ...found, url: parsed.url };
    if (request.query !== undefined) candidates.push(entry);
    else {
      summary.found++;
      yield entry;
    }
  }
  if (summary.problems.some(({ code }) => code === 'TIMEOUT')) summary.limit ??= 'time';
  if (request.query === undefined) return summary;
  for (const best of keepBest(candidates, request.query, request)) {
    summary.found++;
    yield best;
  }
  return summary;
}

function keepBest(candidates: DiscoveredUrl[], query: string, request: DiscoverRequest): DiscoveredUrl[] {
  const scores = scoreUrls(candidates, query);
  return candidates
    .map((candidate, index) => ({ ...candidate, score: scores[index]!.score }))
    .filter(({ score }) => score >= (request.scoreThreshold ?? 0))
    .sort((a, b) => b.score - a.score || (a.url < b.url ? -1 : 1))
    .slice(0, request.maxUrls);
}

function createContext(tools: DiscoverTools, site: string, problems: DiscoverProblem[]): DiscoverContext {
  const written = site.trim();
  // A bare host is requested by https; a host with a port is usually a private server without TLS.
  const scheme = /^[^/?#]*:(?!443\b)\d+(?:[/?#]|$)/.test(written) ? 'http' : 'https';
  const parsed = parseUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(written) ? written : `${scheme}://${written}`);
  if (!parsed.ok) throw new AppError('URL_INVALID', `${site} is no site: ${parsed.reason}`);
  const bare = parsed.host.replace(/^www\./, '');
  return {
    site: { url: parsed.url, origin: parsed.origin, host: new URL(parsed.origin).host },
    client: createSiteClient(tools),
    commonCrawlUrl: tools.commonCrawlUrl,
    maxSitemaps: tools.maxSitemaps ?? 1_000,
    full: false,
    inSite(other) {
      if (other.origin === parsed.origin) return true;
      // Hosts without a public name are distinguished by their port too.
      if (parsed.domain.includes(':') || !parsed.host.includes('.')) return other.domain === parsed.domain;
      return other.host === bare || other.host.endsWith(`.${bare}`);
    },
    report(url, error) {
      const { code, message, retryAfterMs } = toAppError(error);
      if (problems.length >= MAX_PROBLEMS) return;
      problems.push({ url, code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) });
    },
  };
}

async function* readSources(
  context: DiscoverContext,
  sources: readonly DiscoverSource[],
): AsyncGenerator<DiscoveredUrl> {
  let home: Promise<PageLinks> | undefined;
  const readHome = () => {
    home ??= context.client.get(context.site.url).then(({ body, url }) => readPageLinks(body, url));
    return home;
  };
  for (const source of new Set(sources)) {
    try {
      if (source === 'sitemap' || source === 'robots') yield* discoverFromSitemaps(context, source);
      else if (source === 'feeds') yield* discoverFromFeeds(context, readHome);
      else if (source === 'common_crawl') yield* discoverFromCommonCrawl(context);
      else {
        const { links } = await readHome();
        yield { url: context.site.url, source };
        for (const { url, text, language } of links)
          yield { url, source, ...(text !== '' && { title: text }), ...(language !== undefined && { language }) };
      }
    } catch (error) {
      context.report(source === 'common_crawl' ? context.commonCrawlUrl : context.site.url, error);
    }
  }
}
