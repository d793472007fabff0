import { readArguments, readNumber } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { connect } from './connect.ts';
import { print, printJson, table, talk } from './terminal.ts';

const USAGE = usageOf('replay');

/** `crawl4r replay`: reads stored responses again with the extractor of today, without fetching anything. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const options = {
    domain: text,
    since: text,
    until: text,
    parser: text,
    limit: text,
    'dry-run': { type: 'boolean' },
  } as const;
  const { values } = readArguments(args, USAGE, options);
  const word = (name: string) => values[name]?.toString();
  await using api = await connect();
  const result = await api.client.admin.replayPages({
    domain: word('domain'),
    since: word('since'),
    until: word('until'),
    parser: word('parser'),
    limit: readNumber(values, 'limit', 1),
    dry_run: values['dry-run'] === true,
  });
  if (values.json === true) return printJson(result);
  await print(table(result.domains.map(({ domain, pages }) => [String(pages), domain])));
  talk(
    result.dry_run
      ? `${result.pages} pages would be read again`
      : `${result.pages} pages wait to be read again; a worker does it`,
  );
}
