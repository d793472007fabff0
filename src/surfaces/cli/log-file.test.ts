import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLogFile } from './log-file.ts';

it('a log that cannot be written says so once, and goes on when it can', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-log-'));
  try {
    const file = join(folder, 'later/log');
    const troubles: string[] = [];
    const log = openLogFile(file, (error) => troubles.push(error.message), 10);
    for (const line of ['one', 'two', 'three']) {
      log.write(`${line}\n`);
      await sleep(30);
    }
    assert.equal(troubles.length, 1);
    assert.match(troubles[0]!, /ENOENT/);
    mkdirSync(join(folder, 'later'));
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') {
      log.write('four\n');
      await sleep(20);
    }
    assert.match(readFileSync(file, 'utf8'), /^(four\n)+$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
