import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Writes a generated file; with --check it only reports when the committed one is stale. */
export function settleFile(name: string, text: string): void {
  const path = resolve(import.meta.dirname, '..', name);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readCommitted(path) !== text) {
    console.error(`${name} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}

/** A missing file is a stale one. */
function readCommitted(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
