import { readFileSync, writeFileSync } from 'node:fs';
import { envExample } from '../src/config/env-example.ts';

/** Writes .env.example from the settings; with --check, fails when the file is not what they say. */
const path = new URL('../.env.example', import.meta.url);
const text = envExample();

if (process.argv.includes('--check')) {
  let committed = '';
  try {
    committed = readFileSync(path, 'utf8');
  } catch {
    // A missing file is a stale one.
  }
  if (committed !== text) {
    console.error('.env.example is stale: run node scripts/generate-env.ts and commit it.');
    process.exit(1);
  }
} else writeFileSync(path, text);
