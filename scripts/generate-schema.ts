// Writes docs/schema.md from a freshly migrated database; with --check only says what is stale.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { migrate } from '../src/db/migrate.ts';
import { createEmbeddedDatabase } from '../src/drivers/database/embedded.ts';
import { readSchema } from './schema/read-schema.ts';
import { writeDocument } from './schema/write-document.ts';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'crawl4r-schema-'));
try {
  await using database = await createEmbeddedDatabase({ dataDir: folder, poolSize: 1, durable: false });
  await migrate(database);
  const tables = await readSchema(database);
  settle('docs/schema.md', writeDocument(tables));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function settle(name: string, text: string): void {
  const file = join(root, name);
  if (process.argv.includes('--check')) {
    if (read(file) === text) return;
    console.error(`${name} is stale: run npm run generate`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
