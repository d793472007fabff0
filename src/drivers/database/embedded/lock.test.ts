import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { explainFailure } from './cluster.ts';
import { withLock } from './lock.ts';
import { isAlive, processStart } from './process.ts';

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-lock-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('work under one lock never overlaps, and leaves nothing behind', () =>
  withFolder(async (folder) => {
    let inside = 0;
    let most = 0;
    const run = () =>
      withLock(join(folder, 'lock'), 30_000, async () => {
        most = Math.max(most, ++inside);
        await new Promise((done) => setTimeout(done, 2));
        inside--;
      });
    await Promise.all(Array.from({ length: 8 }, run));
    assert.equal(most, 1);
    assert.deepEqual(readdirSync(folder), []);
  }));

test('a lock is given back when the work fails', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'lock');
    await assert.rejects(
      withLock(path, 1_000, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await withLock(path, 1_000, async () => 'done'), 'done');
  }));

test('a lock whose holder is gone is taken over, also when its pid lives again', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'lock');
    const { pid } = spawnSync('true');
    for (const holder of [`${pid} 1`, `${process.pid} 1`, '']) {
      writeFileSync(path, holder);
      assert.equal(await withLock(path, 5_000, async () => 'done'), 'done');
    }
  }));

test('a lock that is held makes others wait, and says who holds it in the end', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'lock');
    await withLock(path, 1_000, () =>
      assert.rejects(
        withLock(path, 50, async () => {}),
        new RegExp(`held by process ${process.pid}`),
      ),
    );
  }));

test('a process is told from another one that has its pid', () => {
  const started = processStart(process.pid)!;
  assert(isAlive(process.pid, started));
  assert(!isAlive(process.pid, `${started}0`));
  assert.equal(processStart(spawnSync('true').pid), undefined);
});

test('what the server printed becomes a code and a sentence', () => {
  const codeOf = (output: string) => explainFailure('folder', output).code;
  assert.equal(codeOf('FATAL:  could not write lock file: No space left on device'), 'DISK_FULL');
  assert.equal(codeOf('initdb: error: could not create directory: Permission denied'), 'DATA_DIR_UNUSABLE');
  assert.equal(codeOf('postgres: error while loading shared libraries: libicu'), 'DATABASE_MISSING');
  assert.match(explainFailure('folder', 'x\nFATAL:  something else\n').message, /folder: something else$/);
});
