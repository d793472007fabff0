import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderError, makeFolder } from './data-folder.ts';

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
