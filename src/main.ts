import { AppError, toAppError } from './errors.ts';
import { FILTERS } from './surfaces/cli/try/index.ts';

/** Picks a role or a command; each is imported only when it is asked for. */
const COMMANDS: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  api: async () => (await import('./surfaces/cli/roles.ts')).role('api'),
  bench: () => import('./surfaces/cli/bench.ts'),
  demo: () => import('./surfaces/cli/demo.ts'),
  map: () => import('./surfaces/cli/map.ts'),
  indexer: async () => (await import('./surfaces/cli/roles.ts')).role('indexer'),
  scheduler: async () => (await import('./surfaces/cli/roles.ts')).role('scheduler'),
  up: () => import('./surfaces/cli/up.ts'),
  worker: async () => (await import('./surfaces/cli/roles.ts')).role('worker'),
};

async function main([name = 'help', ...args]: string[]): Promise<void> {
  if (name === 'try') {
    const filter = FILTERS[args[0] ?? ''];
    if (filter === undefined)
      throw new AppError('NOT_FOUND', `there is no filter "${args[0] ?? ''}"`, {
        hint: `Use one of: ${Object.keys(FILTERS).join(', ')}.`,
      });
    return (await filter()).run(args.slice(1));
  }
  const command = COMMANDS[name];
  if (command === undefined)
    throw new AppError('NOT_FOUND', `there is no command "${name}"`, { hint: 'Run crawl4r help to see them all.' });
  return (await command()).run(args);
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  const error = toAppError(thrown);
  process.stderr.write(
    `crawl4r: ${error.message} (${error.code})\n${error.hint === undefined ? '' : `  ${error.hint}\n`}`,
  );
  process.exitCode = 1;
}
