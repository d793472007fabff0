import { openWeb } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { AppError } from '../../errors.ts';
import { type ScrapedPage, scrapeWith } from '../../operations/media/scrape.ts';
import { allowDemo } from './allow-demo.ts';
import { readArguments, readChoice } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { currentRemote, openRemote } from './connect.ts';
import { print, printJson } from './terminal.ts';

const USAGE = usageOf('scrape');
/** What the server may wait for the turn of the site, and then some for the page itself. */
const SITE_MS = 180_000;
const ANSWER_MS = 300_000;

interface Wanted {
  url: string;
  render: 'never' | 'auto' | 'always';
  include_body: boolean;
}

/**
 * `crawl4r scrape URL`: one page to stdout, nothing kept, robots.txt obeyed. It needs no database and no server; where a
 * server elsewhere is named, that one fetches the page.
 */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = readArguments(args, USAGE, { format: text, render: text }, { min: 1, max: 1 });
  const format = readChoice(values, 'format', ['md', 'text', 'json', 'html', 'links']) ?? 'md';
  const render = readChoice(values, 'render', ['never', 'auto', 'always']) ?? 'auto';
  const asJson = values.json === true || format === 'json';
  const page = await read({ url: positionals[0]!, render, include_body: format === 'html' && !asJson });
  if (page.status >= 400)
    throw new AppError(page.status < 500 ? 'HTTP_4XX' : 'HTTP_5XX', `the site answered ${page.status}`);
  if (asJson) return printJson(page);
  if (format === 'html') return void process.stdout.write(Buffer.from(page.body ?? '', 'base64'));
  if (format === 'links') return print(page.links.map(({ url }) => url).join('\n'));
  return print(format === 'text' ? page.text : page.markdown);
}

async function read(wanted: Wanted): Promise<ScrapedPage> {
  const remote = currentRemote();
  if (remote !== undefined) {
    await using api = await openRemote(remote);
    const url = /^[a-z][a-z0-9+.-]*:/i.test(wanted.url) ? wanted.url : `https://${wanted.url}`;
    return await api.client.media.scrapePage({ ...wanted, url, timeout_ms: SITE_MS }, { timeoutMs: ANSWER_MS });
  }
  const settings = await allowDemo(currentSettings().settings, wanted.url);
  await using web = openWeb(settings);
  return await scrapeWith(web, wanted);
}
