import { AppError } from '../../../errors.ts';
import { readArguments } from '../arguments.ts';
import { usageOf } from '../command-help.ts';
import { print } from '../terminal.ts';
import { writeBash } from './bash.ts';
import { writeFish } from './fish.ts';
import { listCommands } from './model.ts';
import { writeZsh } from './zsh.ts';

const SHELLS: Record<string, typeof writeBash> = { bash: writeBash, zsh: writeZsh, fish: writeFish };
const USAGE = usageOf('completion');

/** `crawl4r completion bash|zsh|fish`: a script that completes commands, steps, options and the words they take. */
export async function run(args: string[]): Promise<void> {
  const { positionals } = readArguments(args, USAGE, {}, { max: 1 });
  const write = Object.hasOwn(SHELLS, positionals[0] ?? '') ? SHELLS[positionals[0]!] : undefined;
  if (write === undefined)
    throw new AppError(
      'USAGE',
      positionals[0] === undefined ? 'name the shell' : `"${positionals[0]}" is no shell it knows`,
      {
        hint: `Usage: crawl4r ${USAGE}`,
      },
    );
  await print(write(listCommands()));
}
