import { createInterface } from 'node:readline';
import { AppError } from '../../../errors.ts';

export type LineHandler = (
  input: Record<string, unknown>,
) => Record<string, unknown> | Promise<Record<string, unknown>>;

/**
 * JSON Lines in, JSON Lines out: in order, one line per input, a bad line becomes `{id, error}` and never ends the run.
 * Up to `ahead` lines are worked on at once.
 */
export async function runFilter(handle: LineHandler, ahead = 1): Promise<void> {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const waiting: Promise<string>[] = [];
  for await (const line of lines) {
    if (line.trim() === '') continue;
    waiting.push(answer(line, handle));
    if (waiting.length >= ahead) await print(await waiting.shift()!);
  }
  for (const output of waiting) await print(await output);
}

async function answer(line: string, handle: LineHandler): Promise<string> {
  let id: unknown = null;
  try {
    const input: unknown = JSON.parse(line);
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      throw new AppError('JSON_INVALID', 'the line is not a JSON object');
    id = (input as { id?: unknown }).id ?? null;
    return JSON.stringify({ id, ...(await handle(input as Record<string, unknown>)) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return JSON.stringify({ id, error: message, code: error instanceof AppError ? error.code : 'JSON_INVALID' });
  }
}

function print(line: string): Promise<void> | void {
  if (!process.stdout.write(`${line}\n`))
    return new Promise((resolve) => process.stdout.once('drain', () => resolve()));
}
