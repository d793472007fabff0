import { readFileSync, writeFileSync } from 'node:fs';
import { buildOpenApi } from '../src/surfaces/http/openapi.ts';
import { ROUTES } from '../src/surfaces/http/routes/index.ts';

/** Writes docs/openapi.json from the route table; with --check, fails when the file is not what the table says. */
const path = new URL('../docs/openapi.json', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const text = `${JSON.stringify(buildOpenApi(ROUTES, version), null, 2)}\n`;

if (process.argv.includes('--check')) {
  let committed = '';
  try {
    committed = readFileSync(path, 'utf8');
  } catch {
    // A missing file is a stale one.
  }
  if (committed !== text) {
    console.error('docs/openapi.json is stale: run node scripts/generate-openapi.ts and commit it.');
    process.exit(1);
  }
} else writeFileSync(path, text);
