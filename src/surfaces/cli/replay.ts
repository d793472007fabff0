import { createApp } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { AppError } from '../../errors.ts';
import { ReplayInput, replay } from '../../operations/replay.ts';
import { readArguments } from './arguments.ts';
import { print, printJson, table, talk } from './terminal.ts';

const USAGE =
  'replay [--domain D] [--since TIME] [--until TIME] [--parser NAME[@VERSION]] [--limit N] [--dry-run] [--json]';

/** `crawl4r replay`: reads stored responses again with the extractor of today, without fetching anything. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = readArguments(args, USAGE, {
    domain: text,
    since: text,
    until: text,
    parser: text,
    limit: text,
    'dry-run': { type: 'boolean' },
  });
  const { 'dry-run': dryRun, json, ...filter } = values;
  const parsed = ReplayInput.safeParse({ ...filter, dry_run: dryRun === true });
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `--${String(path[0])}: ${message}`);
    throw new AppError('USAGE', issues.join('; '), { hint: `Usage: crawl4r ${USAGE}` });
  }
  await using app = await createApp(currentSettings().settings);
  const result = await replay(app, parsed.data);
  if (json === true) return printJson(result);
  await print(table([['domain', 'pages'], ...result.domains.map(({ domain, pages }) => [domain, String(pages)])]));
  talk(
    result.dry_run
      ? `${result.pages} pages would be read again`
      : `${result.pages} pages wait to be read again; crawl4r up or a worker does it`,
  );
}
