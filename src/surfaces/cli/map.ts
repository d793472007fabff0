import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openWeb } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { AppError } from '../../errors.ts';
import { discoverUrls } from '../../pipeline/discover/discover-urls.ts';
import { DISCOVER_SOURCES, type DiscoveredUrl, type DiscoverSummary } from '../../pipeline/discover/types.ts';
import { allowDemo } from './allow-demo.ts';
import { usageOf } from './command-help.ts';
import { currentRemote } from './connect.ts';
import { discoverRemotely } from './map-remote.ts';
import { counted } from './terminal.ts';

const USAGE = usageOf('map');
const LEAST_SCORE = 0.01;

const Options = z.object({
  source: z
    .string()
    .default('sitemap,links')
    .transform((list) => list.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(DISCOVER_SOURCES)).min(1)),
  pattern: z.string().optional(),
  limit: z.coerce.number().int().min(1).default(1_000),
  search: z.string().trim().min(1).optional(),
  json: z.boolean().default(false),
});

/**
 * `crawl4r map SITE`: the addresses of a site, one a line. No database is needed; robots.txt and delays are kept. Where a
 * server elsewhere is named, that one looks for them.
 */
export async function run(args: string[]): Promise<void> {
  const { site, options } = readCommand(args);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  // A reader that has seen enough (`| head`) ends the search.
  process.stdout.on('error', () => stop.abort());
  const found = discover(site, options, stop.signal);
  try {
    for (;;) {
      const step = await found.next();
      if (stop.signal.aborted) return;
      if (step.done === true) return tellEnd(site, step.value);
      await print(options.json ? JSON.stringify(step.value) : step.value.url);
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    await found.return({ found: 0, examined: 0, beyond: { count: 0, samples: [] }, problems: [] });
  }
}

async function* discover(
  site: string,
  { source, pattern, search, limit }: z.output<typeof Options>,
  signal: AbortSignal,
): AsyncGenerator<DiscoveredUrl, DiscoverSummary> {
  const remote = currentRemote();
  if (remote !== undefined)
    return yield* discoverRemotely(
      remote,
      {
        domain: site,
        sources: source,
        max_urls: limit,
        ...(pattern !== undefined && { pattern }),
        ...(search !== undefined && { score_query: search, score_threshold: LEAST_SCORE }),
      },
      signal,
    );
  const settings = await allowDemo(currentSettings().settings, site);
  await using web = openWeb(settings);
  const {
    userAgent,
    discover: { commonCrawlUrl },
  } = settings;
  return yield* discoverUrls(
    { polite: web.polite, fetcher: web.fetcher, userAgent, commonCrawlUrl, signal },
    {
      site,
      sources: source,
      maxUrls: limit,
      ...(pattern !== undefined && { pattern }),
      ...(search !== undefined && { query: search, scoreThreshold: LEAST_SCORE }),
    },
  );
}

function readCommand(args: string[]): { site: string; options: z.output<typeof Options> } {
  const text = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { source: text, pattern: text, limit: text, search: text, json: { type: 'boolean' } },
    });
    const options = Options.safeParse(values);
    if (!options.success)
      throw new Error(options.error.issues.map(({ path, message }) => `--${String(path[0])}: ${message}`).join('; '));
    const [site, ...rest] = positionals;
    if (site === undefined || rest.length > 0) throw new Error('give one site');
    return { site, options: options.data };
  } catch (error) {
    throw new AppError('VALIDATION_FAILED', (error as Error).message, { hint: `Usage: crawl4r ${USAGE}` });
  }
}

/** Talk goes to stderr. Nothing found ends with an error that says why. */
function tellEnd(site: string, { found, examined, beyond, problems, limit }: DiscoverSummary): void {
  const lines = new Set(problems.map(({ url, message, code }) => `  ${url}: ${message} (${code})\n`));
  for (const line of lines) process.stderr.write(line);
  if (found === 0) {
    const code = examined > 0 ? 'NOT_FOUND' : (problems[0]?.code ?? 'NOT_FOUND');
    const hint = examined > 0 ? 'Some were seen, but the filters left none.' : 'Try --source links,feeds,common_crawl.';
    throw new AppError(code, `no addresses were found at ${site}`, code === 'NOT_FOUND' ? { hint } : {});
  }
  const end = limit === undefined ? '' : limit === 'urls' ? ', ended by --limit' : `, ended by the limit of ${limit}`;
  const more = beyond.count === 0 ? '' : `, ${beyond.count} more left out`;
  process.stderr.write(`${counted(found, 'address', 'addresses')}${end}${more}\n`);
}

async function print(line: string): Promise<void> {
  if (process.stdout.write(`${line}\n`)) return;
  await new Promise<void>((resolve) => process.stdout.once('drain', resolve).once('close', resolve));
}
