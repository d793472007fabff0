import { FILTERS } from './try/index.ts';

/** How each command is written, what it does, and what its options mean: for `help`, `COMMAND --help` and usage errors. */
interface CommandHelp {
  usage: string;
  about: string;
  /** Options and sub-commands, each with what it means. */
  parts?: readonly (readonly [part: string, meaning: string])[];
  /** Works on files and processes of this machine, and never on a server elsewhere. */
  local?: true;
}

const role = (name: string, about: string): CommandHelp => ({ usage: name, about, local: true });

const INSECURE_PART = ['--insecure', 'listen on a HOST that others reach, without a proxy with TLS in front'] as const;

const RUN = {
  up: {
    usage: 'up [--demo] [--insecure]',
    about: 'start everything on this machine',
    parts: [['--demo', 'also serve the demo site, and crawl it'], INSECURE_PART],
    local: true,
  },
  api: { usage: 'api [--insecure]', about: 'serve the API and the pages', parts: [INSECURE_PART], local: true },
  worker: role('worker', 'fetch pages'),
  fetcher: role('fetcher', 'one half of a worker: store responses'),
  parser: role('parser', 'the other half: read what is stored'),
  indexer: role('indexer', 'make pages searchable'),
  scheduler: role('scheduler', 'do what is due by the clock, and background jobs'),
  demo: role('demo', 'serve the demo site'),
  doctor: {
    usage: 'doctor [--all] [--json]',
    about: 'show the settings in force and whether each engine answers',
    parts: [['--all', 'also settings that have their default']],
  },
  migrate: { usage: 'migrate [--json]', about: 'bring the database up to date', local: true },
  secrets: {
    usage: 'secrets [status | rotate] [--json]',
    about: 'the key stored secrets are encrypted with',
    parts: [
      ['status', 'which key is in use, and what it covers'],
      ['rotate', 'make a new key and encrypt everything with it'],
    ],
    local: true,
  },
  profiles: {
    usage: 'profiles [list | add NAME --server URL [--key KEY] [--no-check] | use NAME | remove NAME] [--json]',
    about: 'servers elsewhere that commands can work on, under a name',
    parts: [
      ['list', 'show them; keys are never shown'],
      ['add NAME', 'keep a server and its key, once the server has answered; --key - reads it from stdin'],
      ['--no-check', 'keep it without asking the server'],
      ['use NAME', 'commands work on it from now on; "local" takes that back'],
      ['remove NAME', 'forget one'],
    ],
  },
  completion: {
    usage: 'completion bash|zsh|fish',
    about: 'a script that completes commands and options in this shell',
    parts: [
      ['bash', 'eval "$(crawl4r completion bash)" in ~/.bashrc'],
      ['zsh', 'eval "$(crawl4r completion zsh)" in ~/.zshrc, after compinit'],
      ['fish', 'crawl4r completion fish > ~/.config/fish/completions/crawl4r.fish'],
    ],
  },
  version: { usage: 'version [--json]', about: 'of crawl4r, and of the Node it runs on' },
} satisfies Record<string, CommandHelp>;

const USE = {
  crawl: {
    usage:
      'crawl URL… [--depth N] [--max-pages N] [--strategy bfs|dfs|best_first] [--render never|auto|always] [--out FILE] [--json]',
    about: 'crawl pages or a site and wait for it',
    parts: [
      ['--depth N', 'follow links so many steps from the start; 0, the default, fetches the addresses alone'],
      ['--max-pages N', 'fetch at most so many pages'],
      ['--strategy', 'the order: bfs breadth first, dfs depth first, best_first the most promising first'],
      ['--render', 'whether a browser runs scripts; auto, the default: where a page is empty without'],
      ['--out FILE', 'write the pages there: Markdown for a name that ends in .md, else JSON lines'],
    ],
  },
  search: {
    usage:
      'search QUERY [--limit N] [--mode hybrid|vector|keyword] [--domain D,…] [--collection ID,…] [--tag T,…] [--explain] [--json]',
    about: 'search what was crawled',
    parts: [
      ['--limit N', 'show so many passages'],
      ['--mode', 'by meaning and words (hybrid, the default), by meaning alone (vector) or by words alone (keyword)'],
      ['--domain D,…', 'only pages of these domains'],
      ['--collection ID,…', 'only documents of these collections'],
      ['--tag T,…', 'only documents with one of these tags'],
      ['--explain', 'show how the scores came about'],
    ],
  },
  scrape: {
    usage: 'scrape URL [--format md|text|json|html|links] [--render never|auto|always] [--json]',
    about: 'read one page, keep nothing',
    parts: [
      ['--format', 'what is printed; md, Markdown, by default'],
      ['--render', 'whether a browser runs scripts; auto, the default: where the page is empty without'],
    ],
  },
  map: {
    usage:
      'map SITE [--source sitemap,robots,feeds,links,common_crawl] [--pattern GLOB] [--limit N] [--search QUERY] [--json]',
    about: 'list the addresses of a site',
  },
  status: { usage: 'status [--json]', about: 'what is going on' },
  events: {
    usage: 'events [--kinds K,…] [--crawl ID] [--since TIME] [--limit N] [--follow] [--json]',
    about: 'what happened, the newest last',
    parts: [
      ['--kinds K,…', 'only these; crawl.* stands for all of a group'],
      ['--crawl ID', 'of this crawl alone'],
      ['--since TIME', 'since this time'],
      ['--limit N', 'so many of the past, 200 at most'],
      ['--follow', 'then also what comes, until Ctrl-C'],
    ],
  },
  replay: {
    usage:
      'replay [--domain D] [--since TIME] [--until TIME] [--parser NAME[@VERSION]] [--limit N] [--dry-run] [--json]',
    about: 'read stored pages again, without fetching them',
  },
  export: {
    usage:
      'export FORMAT [--what documents|pages|products|chunks|links|tasks] [--domain D] [--collection ID] [--query TEXT] [--cursor ID] [--out FILE] [--json]',
    about: 'write what is stored to a file: jsonl, csv, parquet, md or warc',
    parts: [
      ['FORMAT', 'jsonl, csv, parquet, md (Markdown files in a zip), warc (responses as an archive)'],
      ['--what', 'which rows; documents by default, for warc the pages whose response is stored'],
      [
        '--domain D',
        'and every other filter of the matching list: --collection, --tag, --language, --status, --crawl …',
      ],
      ['--cursor ID', 'go on after the row with this id'],
      ['--out FILE', 'write there, at once when it is whole; without it to stdout'],
    ],
  },
  import: {
    usage: 'import FILE… [--collection ID] [--tags A,B] [--no-wait] [--json]',
    about: 'read WARC and WACZ archives as if they had been fetched',
    parts: [
      ['--collection ID', 'file the documents there'],
      ['--tags A,B', 'give the documents these tags'],
      ['--no-wait', 'return when the file is read; its pages are parsed by a worker'],
    ],
  },
  reindex: {
    usage: 'reindex [--document ID | --collection ID | --model] [--vectors] [--no-wait] [--json]',
    about: 'build the index again from the database',
    parts: [
      ['--document ID', 'of this document alone'],
      ['--collection ID', 'of this collection alone'],
      ['--model', 'with the model of the settings, in place of the one in use'],
      ['--vectors', 'vectors too, also those that are still right'],
      ['--no-wait', 'return at once'],
    ],
  },
  reconcile: {
    usage: 'reconcile [--repair] [--json]',
    about: 'compare the index with the database',
    parts: [['--repair', 'mend what differs']],
  },
  keys: {
    usage:
      'keys [list [--owner ID] [--active true|false] | create NAME [--scopes read,write,admin] [options] | show ID | set ID [options] | revoke ID | login-link] [--json]',
    about: 'API keys, and a link to log in with',
    parts: [
      ['list', 'show all keys; --owner ID those of a person, --active true those that work'],
      ['create NAME', 'make one; it is printed once'],
      ['show ID', 'show one with its owner, collections and quotas'],
      ['set ID', 'change one: --name TEXT, --active true|false, and the options below but for its scopes'],
      ['--scopes', 'what it may do, read by default'],
      ['--rpm N', 'requests a minute'],
      ['--expires TIME', 'it stops working then; never: it does not'],
      ['--collections ID,…', 'binds it to these collections; all: to none'],
      ['--max-open-crawls N', 'crawls it may have open at once; 0: any number, default: what the settings say'],
      ['--max-pages-per-day N', 'pages its crawls may store in a day (UTC); 0 and default as above'],
      ['revoke ID', 'end one'],
      ['login-link', 'print an address that logs the admin in once'],
    ],
  },
  users: {
    usage:
      'users [list [--role ROLE] [--active true|false] | invite EMAIL [--role ROLE] | role WHO ROLE | reset WHO | remove WHO] [--json]',
    about: 'people who may log in; WHO is an id or an address',
    parts: [
      ['list', 'show everybody'],
      ['invite EMAIL', 'add a person and print the link to choose a password; once more: a new link'],
      ['--role', 'viewer (reads, the default), operator (also writes) or admin'],
      ['role WHO ROLE', 'change what a person may do'],
      ['reset WHO', 'take the password away, end all sessions, print a link to choose another'],
      ['remove WHO', 'remove a person with all sessions and keys'],
    ],
  },
} satisfies Record<string, CommandHelp>;

const TRY = {
  try: {
    usage: `try ${Object.keys(FILTERS).join('|')}`,
    about: 'run one part of it on JSON lines from stdin',
    local: true,
  },
  bench: { usage: 'bench NAME [options]', about: 'measure it; the last line is one JSON object', local: true },
} satisfies Record<string, CommandHelp>;

const GROUPS = { 'Run it': RUN, 'Use it': USE, 'Try parts of it': TRY };
const COMMANDS = { ...RUN, ...USE, ...TRY };

/** The commands as `help` lists them. */
export const COMMAND_GROUPS: Readonly<Record<keyof typeof GROUPS, Readonly<Record<string, CommandHelp>>>> = GROUPS;
export const COMMAND_HELP: Readonly<Record<string, CommandHelp>> = COMMANDS;

export const usageOf = (command: keyof typeof COMMANDS): string => COMMANDS[command].usage;
