/**
 * Broken pages by the thousand: `node eval/mutations.ts <folder of .html or .html.gz> [count]` mutates the pages in turn
 * and reads them in the pool, as the crawler does. Ends with one JSON line: how many were read, refused, failed, and the
 * slowest. Any failure but a refusal, or a page over its time, makes the exit code 1.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AppError } from '../src/errors.ts';
import { createExtractPool } from '../src/pipeline/extract/pool.ts';
import { createRandom, mutatePage } from '../test/support/mutate-page.ts';

const [folder, wanted = '10000'] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node eval/mutations.ts <folder> [count]');
const names = readdirSync(folder).filter((name) => /\.html(\.gz)?$/.test(name));
const count = Number(wanted);
const codes: Record<string, number> = {};
let read = 0;
let slowest = 0;

{
  await using pool = createExtractPool({ threads: 2, timeoutMs: 20_000, memoryMb: 256 });
  const tryOne = async (seed: number): Promise<void> => {
    const file = readFileSync(join(folder, names[seed % names.length]!));
    const page = names[seed % names.length]!.endsWith('.gz') ? gunzipSync(file) : file;
    const body = mutatePage(page, createRandom(seed));
    const start = performance.now();
    try {
      await pool.extract({ url: 'https://example.com/a/b', contentType: 'text/html', body });
      read++;
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
      codes[code] = (codes[code] ?? 0) + 1;
      if (code !== 'CONTENT_TYPE_UNSUPPORTED') console.error('seed', seed, code, error);
    }
    slowest = Math.max(slowest, performance.now() - start);
  };
  for (let seed = 1; seed <= count; seed += 16)
    await Promise.all(Array.from({ length: Math.min(16, count - seed + 1) }, (_, index) => tryOne(seed + index)));
}
console.log(JSON.stringify({ eval: 'mutations', pages: count, read, refused: codes, slowest_ms: Math.round(slowest) }));
if (Object.keys(codes).some((code) => code !== 'CONTENT_TYPE_UNSUPPORTED')) process.exitCode = 1;
