import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderError, makeDataFolder, makeFolder } from './data-folder.ts';

test('a folder is made with those above it, and may be there already', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-folder-'));
  try {
    const deep = join(folder, 'a/b/c');
    makeFolder(deep);
    makeFolder(deep);
    assert(existsSync(deep));
    writeFileSync(join(folder, 'file'), '');
    for (const wrong of [join(folder, 'file'), join(folder, 'file/below')])
      assert.throws(() => makeFolder(wrong), { code: 'DATA_DIR_UNUSABLE', message: /file/ });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a place that takes no folders is refused at once', { skip: !existsSync('/proc/self') && 'no /proc here' }, () => {
  assert.throws(() => makeFolder('/proc/nowhere/at/all'), { code: 'DATA_DIR_UNUSABLE' });
});

test('each trouble has its sentence', () => {
  const of = (code: string) => folderError('x', Object.assign(new Error(code), { code }));
  assert.equal(of('ENOSPC').code, 'DISK_FULL');
  assert.match(of('EACCES').message, /permission denied/);
  assert.match(of('EROFS').message, /read-only/);
  assert.equal(of('EROFS').hint, 'Set DATA_DIR to a folder this user may write to.');
});

test('the data folder is closed to others, whatever an earlier version left open', {
  skip: process.platform === 'win32',
}, () => {
  const before = process.umask(0o022);
  const top = mkdtempSync(join(tmpdir(), 'private-'));
  try {
    const modeOf = (...path: string[]) => statSync(join(top, ...path)).mode & 0o777;
    chmodSync(top, 0o755);
    mkdirSync(join(top, 'blobs'));
    writeFileSync(join(top, 'crawl4r.log'), '');
    makeDataFolder(top);
    assert.deepEqual([modeOf('blobs'), modeOf('crawl4r.log')], [0o700, 0o600]);
    assert.equal(modeOf(), 0o755, 'a folder that was there may be anything');
    makeDataFolder(join(top, 'new', 'data'));
    writeFileSync(join(top, 'new', 'data', 'file'), '');
    assert.deepEqual([modeOf('new', 'data'), modeOf('new', 'data', 'file')], [0o700, 0o600]);
  } finally {
    process.umask(before);
    rmSync(top, { recursive: true });
  }
});
