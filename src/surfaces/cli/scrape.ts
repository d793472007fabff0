import { openWeb } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { AppError } from '../../errors.ts';
import { scrapePage } from '../../operations/media/scrape-page.ts';
import { allowDemo } from './allow-demo.ts';
import { readArguments, readChoice } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { print, printJson } from './terminal.ts';

const USAGE = usageOf('scrape');

/** `crawl4r scrape URL`: one page to stdout. Needs no database and keeps nothing; robots.txt is obeyed. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = readArguments(args, USAGE, { format: text, render: text }, { min: 1, max: 1 });
  const format = readChoice(values, 'format', ['md', 'text', 'json', 'html', 'links']) ?? 'md';
  const render = readChoice(values, 'render', ['never', 'auto', 'always']) ?? 'auto';
  const settings = await allowDemo(currentSettings().settings, positionals[0]!);
  await using web = openWeb(settings);
  const { response, page } = await scrapePage(web, positionals[0]!, render);
  if (response.status >= 400)
    throw new AppError(response.status < 500 ? 'HTTP_4XX' : 'HTTP_5XX', `the site answered ${response.status}`);
  if (values.json === true || format === 'json')
    return printJson({ url: response.url, status: response.status, ...page, blocks: undefined });
  if (format === 'html') return void process.stdout.write(response.body);
  if (format === 'links') return print(page.links.map(({ url }) => url).join('\n'));
  return print(format === 'text' ? (page.text ?? '') : page.markdown);
}
