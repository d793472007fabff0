import { readSync } from 'node:fs';
import type { RemoteOptions } from '../../config/remote.ts';
import { AppError } from '../../errors.ts';

/** Options of every command: which server it works on. */
const NAMES = ['server', 'key', 'profile'] as const;

export const GLOBAL_OPTIONS: readonly (readonly [option: string, meaning: string])[] = [
  ['--server URL', 'work on the instance at this address; also CRAWL4R_SERVER'],
  ['--key KEY', 'its API key, - to read it from stdin; also CRAWL4R_KEY'],
  ['--profile NAME', 'the server and key kept under this name, "local" for this machine; also CRAWL4R_PROFILE'],
];

/** Takes the options every command has out of a command line, wherever they stand before a bare `--`. */
export function takeGlobalOptions(args: readonly string[]): { given: RemoteOptions; rest: string[] } {
  const given: RemoteOptions = {};
  const rest: string[] = [];
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const name = at < end ? NAMES.find((each) => word === `--${each}` || word.startsWith(`--${each}=`)) : undefined;
    if (name === undefined) {
      rest.push(word);
      continue;
    }
    const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : at + 1 < end ? args[++at] : undefined;
    if (value === undefined || value === '' || (name !== 'key' && value.startsWith('-')))
      throw new AppError('USAGE', `--${name} needs a value`, {
        hint: 'Use --server URL, --key KEY (or - for stdin), --profile NAME.',
      });
    given[name] = value;
  }
  return { given, rest };
}

/** What this process was given. */
export const currentGlobalOptions = (): RemoteOptions => takeGlobalOptions(process.argv.slice(2)).given;

const MAX_KEY = 1_000;

/** The key itself; `-` stands for the first line of stdin, which keeps it out of the list of processes and of histories. */
export function readKey(key: string | undefined): string | undefined {
  if (key !== '-') return key;
  const bytes = Buffer.alloc(MAX_KEY + 1);
  let length = 0;
  try {
    for (let read = -1; read !== 0 && length <= MAX_KEY && !bytes.includes('\n'); length += read)
      read = readSync(0, bytes, length, bytes.length - length, null);
  } catch (cause) {
    throw new AppError('USAGE', 'the key cannot be read from stdin', { cause });
  }
  const text = bytes.toString('utf8', 0, length).split('\n', 1)[0]!.trim();
  if (text === '' || length > MAX_KEY)
    throw new AppError('USAGE', 'there is no key on stdin', { hint: 'Try: crawl4r … --key - < FILE' });
  return text;
}
