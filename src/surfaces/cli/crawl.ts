import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { Crawl } from '../../operations/crawls/crawl.ts';
import type { CrawlDocument } from '../../operations/crawls/list-crawl-documents.ts';
import type { ListPage } from '../../operations/paging.ts';
import type { Task } from '../../operations/tasks/task.ts';
import type { ApiClient } from '../http/client.ts';
import { readArguments, readChoice, readNumber } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { connect } from './connect.ts';
import { createProgressView, describe } from './progress.ts';
import { counted, plain, print, printJson, table, talk } from './terminal.ts';

const USAGE = usageOf('crawl');
const LOOK_MS = 300;
const STUCK_MS = 60_000;
const ENDED = ['completed', 'failed', 'cancelled'];

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
  const started = await start(api, positionals.map(withScheme), request);
  talk(`crawl ${started.id}${api.origin === undefined ? '' : ` on ${api.origin}`}`);
  const crawl = await follow(api, started);
  if (api.origin === undefined) await waitForIndex(api);
  if (out !== undefined)
    talk(`${counted(await save(api, crawl.id, String(values.out), out), 'page')} written to ${values.out}`);
  if (values.json === true) await printJson(crawl);
  else await summarise(api, crawl);
  if (crawl.pages_crawled === 0)
    throw new AppError(
      'NOTHING_FETCHED',
      `${crawl.error ?? 'no page was fetched'}${await firstReason(api, crawl.id)}`,
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
  strategy: string | undefined;
  render: string | undefined;
}

function start(api: ApiClient, urls: string[], request: Request): Promise<Crawl> {
  const options = {
    max_depth: request.depth,
    ...(request.maxPages === undefined ? {} : { max_pages: request.maxPages }),
    ...(request.strategy === undefined ? {} : { strategy: request.strategy }),
    ...(request.render === undefined ? {} : { render: request.render }),
  };
  // One address with a depth is a walk through its site; several are pages, each with its own surroundings.
  return urls.length === 1 && request.depth > 0
    ? api.call('POST', '/crawl/deep', { url: urls[0], options })
    : api.call('POST', '/crawl', { urls, options });
}

/** Ctrl-C leaves the crawl where it is: a server goes on with it, and the next start would. */
async function follow(api: ApiClient, started: Crawl): Promise<Crawl> {
  const view = createProgressView(process.stderr);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  let crawl = started;
  try {
    while (!ENDED.includes(crawl.status)) {
      view.show(crawl);
      await sleep(LOOK_MS, undefined, { signal: stop.signal });
      crawl = await api.call('GET', `/crawl/${started.id}`);
    }
    return crawl;
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

/** Without a server no other process indexes the pages: this one stays until they are indexed, or nothing moves. */
async function waitForIndex(api: ApiClient): Promise<void> {
  let [left, movedAt, told] = [Number.POSITIVE_INFINITY, performance.now(), false];
  while (performance.now() - movedAt < STUCK_MS) {
    const { outbox } = await api.call<{ outbox: number }>('GET', '/stats');
    if (outbox === 0) return;
    if (!told) talk('making the pages searchable…');
    told = true;
    if (outbox < left) [left, movedAt] = [outbox, performance.now()];
    await sleep(LOOK_MS);
  }
  talk(`not searchable yet: ${counted(left, 'page')}; the next start goes on`);
}

async function summarise(api: ApiClient, crawl: Crawl): Promise<void> {
  talk(`${crawl.status}: ${describe(crawl)}`);
  const { by_code: byCode } = await api.call<{ by_code: Record<string, number> }>(
    'GET',
    `/tasks/stats?crawl_id=${crawl.id}`,
  );
  const refused = Object.entries(crawl.links_refused).map(([code, { count }]) => [code, counted(count, 'link')]);
  const reasons = [...Object.entries(byCode).map(([code, count]) => [code, counted(count, 'page')]), ...refused];
  if (reasons.length > 0) talk(`not fetched:\n${table(reasons.map(([code, count]) => [`  ${code}`, count!]))}`);
  for await (const page of documents(api, crawl.id)) await print(`${page.url}\t${plain(page.title ?? '')}`);
}

/** Of one of its pages: with a single address, that is all there is to know. */
async function firstReason(api: ApiClient, crawlId: string): Promise<string> {
  const { items } = await api.call<ListPage<Task>>('GET', `/tasks?crawl_id=${crawlId}&limit=1`);
  const message = items[0]?.message;
  return message === undefined || message === null ? '' : `: ${plain(message)}`;
}

async function* documents(api: ApiClient, crawlId: string): AsyncGenerator<CrawlDocument> {
  for (let cursor = ''; ; ) {
    const page: ListPage<CrawlDocument> = await api.call('GET', `/crawl/${crawlId}/documents?limit=100${cursor}`);
    yield* page.items;
    if (page.next_cursor === null) return;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

/** Before the crawl: a file that cannot be written is reported before the work is done, not after. */
async function openOut(path: string): Promise<FileHandle> {
  return open(path, 'w').catch((error: unknown) => {
    throw outError(path, error);
  });
}

/** Markdown for a file that ends in .md, else one JSON line per page. */
async function save(api: ApiClient, crawlId: string, path: string, file: FileHandle): Promise<number> {
  let count = 0;
  try {
    for await (const page of documents(api, crawlId)) {
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
