import { LOCAL_PROFILE } from './config/profiles.ts';
import { AppError, type ErrorCode, toAppError } from './errors.ts';
import { COMMAND_HELP } from './surfaces/cli/command-help.ts';
import { takeGlobalOptions } from './surfaces/cli/global-options.ts';
import { RESOURCES } from './surfaces/cli/resources.ts';
import { FILTERS } from './surfaces/cli/try/index.ts';

/** Picks a role or a command; each is imported only when it is used. */
const COMMANDS: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  api: async () => (await import('./surfaces/cli/roles.ts')).role('api'),
  bench: () => import('./surfaces/cli/bench.ts'),
  completion: () => import('./surfaces/cli/completion/index.ts'),
  crawl: () => import('./surfaces/cli/crawl.ts'),
  demo: () => import('./surfaces/cli/demo.ts'),
  doctor: () => import('./surfaces/cli/doctor.ts'),
  events: () => import('./surfaces/cli/events.ts'),
  export: () => import('./surfaces/cli/export.ts'),
  fetcher: async () => (await import('./surfaces/cli/roles.ts')).role('fetcher'),
  help: () => import('./surfaces/cli/help.ts'),
  import: () => import('./surfaces/cli/import.ts'),
  indexer: async () => (await import('./surfaces/cli/roles.ts')).role('indexer'),
  keys: () => import('./surfaces/cli/keys.ts'),
  map: () => import('./surfaces/cli/map.ts'),
  migrate: () => import('./surfaces/cli/migrate.ts'),
  parser: async () => (await import('./surfaces/cli/roles.ts')).role('parser'),
  profiles: () => import('./surfaces/cli/profiles.ts'),
  reconcile: () => import('./surfaces/cli/reconcile.ts'),
  reindex: () => import('./surfaces/cli/reindex.ts'),
  replay: () => import('./surfaces/cli/replay.ts'),
  scheduler: async () => (await import('./surfaces/cli/roles.ts')).role('scheduler'),
  scrape: () => import('./surfaces/cli/scrape.ts'),
  search: () => import('./surfaces/cli/search.ts'),
  secrets: () => import('./surfaces/cli/secrets.ts'),
  status: () => import('./surfaces/cli/status.ts'),
  up: () => import('./surfaces/cli/up.ts'),
  users: () => import('./surfaces/cli/users.ts'),
  version: () => import('./surfaces/cli/version.ts'),
  worker: async () => (await import('./surfaces/cli/roles.ts')).role('worker'),
  ...Object.fromEntries(
    Object.entries(RESOURCES).map(([name, resource]) => [
      name,
      async () => (await import('./surfaces/cli/manage.ts')).manage(name, resource),
    ]),
  ),
};

/** Exit codes that scripts can distinguish; everything else is 1. docs/cli.md lists them. */
const EXIT_CODES: Partial<Record<ErrorCode, number>> = { USAGE: 2, VALIDATION_FAILED: 2, NOTHING_FETCHED: 3 };

async function main(words: string[]): Promise<void> {
  const { given: remote, rest } = takeGlobalOptions(words);
  const [given = 'help', ...args] = rest;
  const asksForHelp = [given, ...args].some((word) => word === '--help' || word === '-h');
  const name = asksForHelp ? 'help' : given.replace(/^--version$/, 'version');
  if (Object.keys(remote).length > 0 && remote.profile !== LOCAL_PROFILE && COMMAND_HELP[name]?.local === true)
    throw new AppError('USAGE', `${name} works on this machine and its own files, not on a server elsewhere`, {
      hint: `Run it without ${Object.keys(remote)
        .map((option) => `--${option}`)
        .join(', ')}, or on that machine.`,
    });
  if (name === 'try') {
    const filter = FILTERS[args[0] ?? ''];
    if (filter === undefined)
      throw new AppError('USAGE', args[0] === undefined ? 'NAME is missing' : `there is no filter "${args[0]}"`, {
        hint: `Use one of: ${Object.keys(FILTERS).join(', ')}.`,
      });
    return (await filter()).run(args.slice(1));
  }
  const command = COMMANDS[name];
  if (command === undefined)
    throw new AppError('USAGE', `there is no command "${name}"`, { hint: 'Run crawl4r help to see them all.' });
  return (await command()).run(asksForHelp ? [given, ...args].filter((word) => !word.startsWith('-')) : args);
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  const error = toAppError(thrown);
  const { code, message, hint } = error;
  process.stderr.write(
    process.argv.includes('--json')
      ? `${JSON.stringify({ error: message, code, hint })}\n`
      : `crawl4r: ${message} (${code})\n${hint === undefined ? '' : `  ${hint}\n`}`,
  );
  process.exitCode ??= EXIT_CODES[code] ?? 1;
}
