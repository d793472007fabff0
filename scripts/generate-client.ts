import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { writeClient } from './client/write-client.ts';
import { settleFile } from './generated-file.ts';

/** Writes what is generated of the client from docs/openapi.json, and its version; with --check, fails when it is stale. */
const root = join(import.meta.dirname, '..');
const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));

settleFile('clients/typescript/src/generated.ts', writeClient(readJson('docs/openapi.json')));
const own = 'clients/typescript/package.json';
settleFile(own, `${JSON.stringify({ ...readJson(own), version: packageFile.version }, null, 2)}\n`);
