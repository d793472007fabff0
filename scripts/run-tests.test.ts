import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const FILES = {
  'good.test.ts': `
    import { describe, test } from 'node:test';
    test('one', () => {});
    test('left out', { skip: 'it rains' }, () => {});
    describe('a heading', () => { test('two', () => {}); });
    test('a parent', async (t) => { await t.test('three', () => {}); });`,
  'bad.test.ts': `
    import { describe, test } from 'node:test';
    describe('a heading', () => { test('wrong', () => { throw new Error('as it should'); }); });
    test('prints', () => console.log('some words'));`,
  'broken.test.ts': `throw new Error('before any test');`,
  'empty.test.ts': 'export {};',
};

function run(names: (keyof typeof FILES)[]) {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-runner-'));
  try {
    const temporary = join(folder, 'tmp');
    mkdirSync(temporary);
    for (const name of names) writeFileSync(join(folder, name), FILES[name]);
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
    const done = spawnSync(
      process.execPath,
      [join(import.meta.dirname, 'run-tests.ts'), ...names.map((n) => join(folder, n))],
      {
        env: { ...inherited, TMPDIR: temporary },
        encoding: 'utf8',
      },
    );
    return { status: done.status, lines: done.stdout.trimEnd().split('\n'), left: readdirSync(temporary) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a run that is green says so, counts leaf tests, and leaves nothing behind', () => {
  const { status, lines, left } = run(['good.test.ts']);
  assert.equal(lines.at(-1), '3 passed, 0 failed, 1 skipped');
  assert(lines.some((line) => /left out: it rains$/.test(line)));
  assert.equal(status, 0);
  assert.deepEqual(left, []);
});

test('a run that is not green fails, and shows failures in full', () => {
  const { status, lines } = run(['good.test.ts', 'bad.test.ts', 'broken.test.ts', 'empty.test.ts']);
  const text = lines.join('\n');
  assert.equal(lines.at(-1), '4 passed, 3 failed, 1 skipped');
  assert.equal(status, 1);
  for (const part of [/bad\.test\.ts › wrong/, /as it should/, /some words/, /before any test/, /it holds no tests/])
    assert.match(text, part);
});
