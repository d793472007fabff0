import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { AppError } from '../../errors.ts';

export interface Arguments {
  values: Record<string, string | boolean | undefined>;
  positionals: string[];
}

/** Reads a command line; what does not fit ends with the way the command is used. Every command takes --json. */
export function readArguments(
  args: readonly string[],
  usage: string,
  options: ParseArgsOptionsConfig = {},
  positionals: { min?: number; max?: number } = {},
): Arguments {
  const wrong = (message: string, cause?: unknown) =>
    new AppError('USAGE', message, { cause, hint: `Usage: crawl4r ${usage}` });
  let parsed: { values: object; positionals: string[] };
  try {
    parsed = parseArgs({
      args: [...args],
      options: { ...options, json: { type: 'boolean' } },
      allowPositionals: true,
      allowNegative: true,
    });
  } catch (error) {
    throw wrong((error as Error).message.split('. ')[0]!.toLowerCase(), error);
  }
  const { min = 0, max = 0 } = positionals;
  // Operands are in capitals, and stand before the options.
  const operands = usage
    .split(' [', 1)[0]!
    .split(' ')
    .filter((word) => word === word.toUpperCase());
  if (parsed.positionals.length < min) throw wrong(`${operands[parsed.positionals.length]} is missing`);
  if (parsed.positionals.length > max) throw wrong(`"${parsed.positionals[max]}" is one word too many`);
  return { values: parsed.values as Arguments['values'], positionals: parsed.positionals };
}

/** A number of a command line, or undefined when it was not given. */
export function readNumber(values: Arguments['values'], name: string, min: number): number | undefined {
  const given = values[name];
  if (given === undefined) return undefined;
  const parsed = z.coerce.number().int().min(min).safeParse(given);
  if (!parsed.success) throw new AppError('USAGE', `--${name} takes a whole number from ${min} up, not "${given}"`);
  return parsed.data;
}

/** One of a few words, or undefined when it was not given. */
export function readChoice<Choice extends string>(
  values: Arguments['values'],
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const given = values[name];
  if (given === undefined) return undefined;
  const chosen = choices.find((choice) => choice === given);
  if (chosen === undefined) throw new AppError('USAGE', `--${name} takes one of ${choices.join(', ')}, not "${given}"`);
  return chosen;
}
