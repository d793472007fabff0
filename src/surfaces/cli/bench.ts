import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'bench');

/** `crawl4r bench NAME [options]`: runs a benchmark of this clone; its last line is one JSON object. */
export async function run([name = '', ...args]: string[]): Promise<void> {
  const script = join(FOLDER, `${name}.ts`);
  if (!/^[a-z-]+$/.test(name) || !existsSync(script) || !isBenchmark(name))
    throw new AppError('USAGE', `there is no benchmark "${name}"`, {
      hint: `Use one of: ${listBenchmarks().join(', ')}.`,
    });
  // What it is compared with comes with the development packages. Their installer says itself what went wrong.
  const installed = await runNode([join(ROOT, 'scripts/install.mjs'), '--dev']);
  process.exitCode = installed === 0 ? await runNode([...process.execArgv, script, ...args]) : installed;
}

async function runNode(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** What can be run by itself; the other files of the folder are its parts. */
const BENCHMARKS = new Set(['crawl', 'frontier', 'politeness', 'no-loss', 'hostile', 'partitions', 'export']);
const isBenchmark = (name: string) => BENCHMARKS.has(name);

function listBenchmarks(): string[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3))
    .filter(isBenchmark);
}
