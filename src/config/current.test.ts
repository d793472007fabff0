import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { currentSettings } from './current.ts';

it('.env of the working folder is read, and the environment wins over it', () => {
  const [before, folder] = [process.cwd(), mkdtempSync(join(tmpdir(), 'env-'))];
  try {
    writeFileSync(join(folder, '.env'), '# a comment\nPORT=4711\nFETCH__MAX_REDIRECTS="3"\nFETCH__DNS_TTL_S=7\n');
    process.chdir(folder);
    process.env.FETCH__DNS_TTL_S = '9';
    const { port, fetch } = currentSettings().settings;
    assert.deepEqual([port, fetch.maxRedirects, fetch.dnsTtlS], [4711, 3, 9]);
  } finally {
    delete process.env.FETCH__DNS_TTL_S;
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
});
