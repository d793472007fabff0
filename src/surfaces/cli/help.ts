import { COMMAND_HELP } from './command-help.ts';
import { usageOf } from './manage.ts';
import { RESOURCES } from './resources.ts';
import { print } from './terminal.ts';

const HELP = `crawl4r: crawl sites, read them, search them

Run it
  up [--demo]                 start everything on this machine
  api | worker | indexer | scheduler
                              start one role of it
  fetcher | parser            a worker in two halves, which scale apart
  demo                        serve the demo site
  doctor                      show the settings in force and whether each engine answers
  migrate                     bring the database up to date
  version                     of crawl4r, and of the Node it runs on

Use it
  crawl URL… [--depth N] [--max-pages N] [--strategy bfs|dfs|best_first] [--out FILE]
                              crawl pages or a site and wait for it
  search QUERY [--limit N] [--mode hybrid|vector|keyword] [--domain D] [--collection ID] [--tag T] [--explain]
                              search what was crawled
  scrape URL [--format md|text|json|html|links] [--render never|auto|always]
                              read one page, keep nothing
  map SITE                    list the addresses of a site
  status                      what is going on
  replay [--domain D] [--since TIME] [--parser NAME] [--dry-run]
                              read stored pages again, without fetching them
  reindex [--document ID | --collection ID | --model] [--vectors]
                              build the index again from the database
  reconcile [--repair]        compare the index with the database
  keys [create NAME | revoke ID | login-link]
                              API keys, and a link to log in with
  secrets [status | rotate]   the key that stored passwords and header values are encrypted with

Look after it
${Object.entries(RESOURCES)
  .map(
    ([name, { about, actions }]) => `  ${name.padEnd(28)}${about}\n${' '.repeat(30)}${Object.keys(actions).join(', ')}`,
  )
  .join('\n')}

Try parts of it on JSON lines
  try NAME                    extract, robots, url, guard, chunk, price, search
  bench NAME                  measure it

help NAME has the details of what is listed under "Look after it". Every command takes --json. Data goes to stdout, talk to stderr. docs/cli.md has the details and exit codes.
Settings come from the environment: DATA_DIR, PORT and more; doctor lists them all.`;

/** `crawl4r help`, and `crawl4r help NAME [STEP]` (or `NAME STEP --help`) for one command. */
export function run([name = '', step = '']: string[]): Promise<void> {
  const resource = RESOURCES[name];
  if (resource !== undefined) {
    const all = Object.entries(resource.actions);
    const chosen = Object.hasOwn(resource.actions, step) ? all.filter(([each]) => each === step) : all;
    const lines = chosen.map(([each, action]) => `  crawl4r ${usageOf(name, each, action)}`);
    return print(`${name}: ${resource.about}\n\n${lines.join('\n')}`);
  }
  if (!Object.hasOwn(COMMAND_HELP, name)) return print(HELP);
  const { usage, about, parts = [] } = COMMAND_HELP[name]!;
  const meanings = parts.map(([part, meaning]) => `  ${part.padEnd(18)}${meaning}`);
  return print(
    [`${name}: ${about}`, '', `  crawl4r ${usage}`, ...(parts.length > 0 ? ['', ...meanings] : [])].join('\n'),
  );
}
