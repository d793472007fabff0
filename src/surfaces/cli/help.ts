import { print } from './terminal.ts';

const HELP = `crawl4r: crawl sites, read them, search them

Run it
  up [--demo]                 start everything on this machine
  api | worker | indexer | scheduler
                              start one role of it
  demo                        serve the demo site
  doctor                      show the settings in force and whether each engine answers
  migrate                     bring the database up to date
  version                     of crawl4r, and of the Node it runs on

Use it
  crawl URL… [--depth N] [--max-pages N] [--strategy bfs|dfs|best_first] [--out FILE]
                              crawl pages or a site and wait for it
  search QUERY [--limit N] [--mode hybrid|vector|keyword]
                              search what was crawled
  scrape URL [--format md|text|json|html|links] [--render never|auto|always]
                              read one page, keep nothing
  map SITE                    list the addresses of a site
  status                      what is going on
  tasks [--crawl ID] [--status STATUS] [--limit N]
                              list pages, fetched or not, and why
  replay [--domain D] [--since TIME] [--parser NAME] [--dry-run]
                              read stored pages again, without fetching them
  reindex [--document ID | --collection ID | --model] [--vectors]
                              build the index again from the database
  reconcile [--repair]        compare the index with the database
  keys [create NAME | revoke ID | login-link]
                              API keys, and a link to log in with

Try parts of it on JSON lines
  try NAME                    extract, robots, url, guard, chunk, price, search
  bench NAME                  measure it

Every command takes --json. Data goes to stdout, talk to stderr. docs/cli.md has the details and exit codes.
Settings come from the environment: DATA_DIR, PORT and more; doctor lists them all.`;

export const run = () => print(HELP);
