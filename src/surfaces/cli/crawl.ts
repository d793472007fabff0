import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Crawl, CrawlDocument, CrawlOptionsInput } from '../../../clients/typescript/src/index.ts';
import { AppError } from '../../errors.ts';
import { readArguments, readChoice, readNumber } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { connect } from './connect.ts';
import { createProgressView, describe } from './progress.ts';
import { counted, plain, print, printJson, table, talk } from './terminal.ts';

const USAGE = usageOf('crawl');
const LOOK_MS = 300;
const STUCK_MS = 60_000;

/** `crawl4r crawl URL…`: waits for the crawl; ends with NOTHING_FETCHED when no page came in. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = readArguments(
    args,
    USAGE,
    { depth: text, 'max-pages': text, strategy: text, render: text, out: text },
    { min: 1, max: 1_000 },
  );
  const request = {
    depth: readNumber(values, 'depth', 0) ?? 0,
    maxPages: readNumber(values, 'max-pages', 1),
    strategy: readChoice(values, 'strategy', ['bfs', 'dfs', 'best_first']),
    render: readChoice(values, 'render', ['never', 'auto', 'always']),
  };
  const out = typeof values.out === 'string' ? await openOut(values.out) : undefined;
  await using api = await connect({
    roles: async (app, signal) => (await import('../../roles/engine.ts')).runEngine(app, signal),
  });
  const { client } = api;
  const started = await start(client, positionals.map(withScheme), request);
  talk(`crawl ${started.id}${api.origin === undefined ? '' : ` on ${api.origin}`}`);
  const crawl = await follow(client, started);
  if (api.origin === undefined) await waitForIndex(client);
  if (out !== undefined)
    talk(`${counted(await save(client, crawl.id, String(values.out), out), 'page')} written to ${values.out}`);
  if (values.json === true) await printJson(crawl);
  else await summarise(client, crawl);
  if (crawl.pages_crawled === 0)
    throw new AppError(
      'NOTHING_FETCHED',
      `${crawl.error ?? 'no page was fetched'}${await firstReason(client, crawl.id)}`,
      {
        hint: `crawl4r tasks --crawl ${crawl.id} shows why, page by page.`,
      },
    );
  if (crawl.status === 'failed') throw new AppError('INTERNAL_ERROR', crawl.error ?? 'the crawl failed');
}

/** Users type example.com without a scheme. */
const withScheme = (address: string) => (/^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`);

interface Request {
  depth: number;
  maxPages: number | undefined;
  strategy: CrawlOptionsInput['strategy'];
  render: CrawlOptionsInput['render'];
}

function start(client: Client, urls: string[], request: Request): Promise<Crawl> {
  const options: CrawlOptionsInput = {
    max_depth: request.depth,
    ...(request.maxPages === undefined ? {} : { max_pages: request.maxPages }),
    ...(request.strategy === undefined ? {} : { strategy: request.strategy }),
    ...(request.render === undefined ? {} : { render: request.render }),
  };
  // One address with a depth is a walk through its site; several are pages, each with its own surroundings.
  return urls.length === 1 && request.depth > 0
    ? client.crawls.startDeep({ url: urls[0]!, options })
    : client.crawls.start({ urls, options });
}

/** Ctrl-C leaves the crawl where it is: a server goes on with it, and the next start would. */
async function follow(client: Client, started: Crawl): Promise<Crawl> {
  const view = createProgressView(process.stderr);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const events = client.crawls.follow<Crawl | { data: Partial<Crawl> }>(started.id, { signal: stop.signal });
  let crawl = started;
  try {
    view.show(crawl);
    for await (const { data } of events) {
      // The first event is the crawl itself; those after it have its counters.
      crawl = withProgress({ ...crawl, ...('data' in data ? data.data : data) });
      view.show(crawl);
    }
    return await client.crawls.get(started.id);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    process.exitCode = 130;
    throw new AppError('CANCELLED', 'stopped watching; the crawl keeps its place', {
      hint: `crawl4r tasks --crawl ${started.id} shows how far it came.`,
    });
  } finally {
    view.end();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** The share of the pages that are done, from counters that are newer than it is. */
function withProgress(crawl: Crawl): Crawl {
  const done = crawl.pages_crawled + crawl.pages_failed + crawl.pages_skipped + crawl.pages_cancelled;
  return { ...crawl, progress: Math.min(100, Math.round((1_000 * done) / Math.max(1, crawl.pages_discovered)) / 10) };
}

/** Without a server no other process indexes the pages: this one stays until they are indexed, or nothing moves. */
async function waitForIndex(client: Client): Promise<void> {
  let [left, movedAt, told] = [Number.POSITIVE_INFINITY, performance.now(), false];
  while (performance.now() - movedAt < STUCK_MS) {
    const { outbox } = await client.admin.getStats();
    if (outbox === 0) return;
    if (!told) talk('making the pages searchable…');
    told = true;
    if (outbox < left) [left, movedAt] = [outbox, performance.now()];
    await sleep(LOOK_MS);
  }
  talk(`not searchable yet: ${counted(left, 'page')}; the next start goes on`);
}

async function summarise(client: Client, crawl: Crawl): Promise<void> {
  talk(`${crawl.status}: ${describe(crawl)}`);
  const { by_code: byCode } = await client.tasks.getStats({ crawl_id: crawl.id });
  const refused = Object.entries(crawl.links_refused).map(([code, { count }]) => [code, counted(count, 'link')]);
  const reasons = [...Object.entries(byCode).map(([code, count]) => [code, counted(count, 'page')]), ...refused];
  if (reasons.length > 0) talk(`not fetched:\n${table(reasons.map(([code, count]) => [`  ${code}`, count!]))}`);
  for await (const page of documents(client, crawl.id)) await print(`${page.url}\t${plain(page.title ?? '')}`);
}

/** Of one of its pages: with a single address, that is all there is to know. */
async function firstReason(client: Client, crawlId: string): Promise<string> {
  const { items } = await client.tasks.list({ crawl_id: crawlId, limit: 1 });
  const message = items[0]?.message;
  return message === undefined || message === null ? '' : `: ${plain(message)}`;
}

const documents = (client: Client, crawlId: string): AsyncGenerator<CrawlDocument> =>
  client.paginate((query) => client.crawls.listDocuments(crawlId, query), { limit: 100 });

/** Before the crawl: a file that cannot be written is reported before the work is done, not after. */
async function openOut(path: string): Promise<FileHandle> {
  return open(path, 'w').catch((error: unknown) => {
    throw outError(path, error);
  });
}

/** Markdown for a file that ends in .md, else one JSON line per page. */
async function save(client: Client, crawlId: string, path: string, file: FileHandle): Promise<number> {
  let count = 0;
  try {
    for await (const page of documents(client, crawlId)) {
      const { url, title, content, language, fetched_at } = page;
      await file.appendFile(
        path.endsWith('.md')
          ? `<!-- ${url} -->\n\n# ${title ?? url}\n\n${content}\n\n`
          : `${JSON.stringify({ url, title, content, language, fetched_at })}\n`,
      );
      count++;
    }
  } catch (error) {
    throw outError(path, error);
  } finally {
    await file.close();
  }
  return count;
}

function outError(path: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  return new AppError(code === 'ENOSPC' ? 'DISK_FULL' : 'USAGE', `cannot write ${path}: ${message}`, {
    cause,
    hint: 'Give --out a file in a folder you may write to.',
  });
}
