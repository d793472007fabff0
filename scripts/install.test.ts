import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const LOCK = {
  packages: {
    '': { dependencies: { a: '1.0.0' }, devDependencies: { b: '1.0.0' }, optionalDependencies: { c: '1.0.0' } },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', dev: true },
    'node_modules/c': { version: '1.0.0', optional: true, os: ['none'] },
  },
};

/** Stands in for npm: notes its arguments, takes a moment, and writes the list of what is installed as npm does. */
const NPM = `#!/bin/sh
echo "$*" >> calls
sleep 0.3
[ -e broken ] && { echo "npm error network" >&2; exit 1; }
mkdir -p node_modules
b=
case "$*" in *--include=dev*) b=', "node_modules/b": {"version": "1.0.0"}';; esac
echo '{"packages": {"node_modules/a": {"version": "1.0.0"}'"$b"'}}' > node_modules/.package-lock.json
`;

interface Clone {
  folder: string;
  run(...args: string[]): Promise<{ status: number | null; errors: string }>;
  calls(): string[];
}

async function withClone(work: (clone: Clone) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'crawl4r-clone-'));
  try {
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'scripts'));
    cpSync(join(import.meta.dirname, 'install.mjs'), join(folder, 'scripts/install.mjs'));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(LOCK));
    writeFileSync(join(folder, 'bin/npm'), NPM);
    chmodSync(join(folder, 'bin/npm'), 0o755);
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
    const run = (...args: string[]) =>
      new Promise<{ status: number | null; errors: string }>((done) => {
        const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
        let errors = '';
        child.stderr.on('data', (text) => (errors += text));
        child.on('close', (status) => done({ status, errors }));
      });
    const notes = join(folder, 'calls');
    const calls = () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []);
    await work({ folder, run, calls });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('installs once, however many start at once, and not again', () =>
  withClone(async ({ run, calls }) => {
    const runs = await Promise.all([
      run('scripts/install.mjs'),
      run('scripts/install.mjs'),
      run('scripts/install.mjs'),
    ]);
    assert.deepEqual(
      runs.map(({ status }) => status),
      [0, 0, 0],
    );
    assert.equal(calls().length, 1);
    assert.match(calls()[0]!, /^ci --ignore-scripts .*--omit=dev$/);
    const again = await run('scripts/install.mjs');
    assert.deepEqual(again, { status: 0, errors: '' });
    assert.equal(calls().length, 1);
  }));

test('takes away what only other platforms need', () =>
  withClone(async ({ folder, run }) => {
    const builds = join(folder, 'node_modules/onnxruntime-node/bin/napi-v6');
    const own = join(builds, process.platform, process.arch);
    const foreign = [join(builds, 'beos/x64'), join(builds, process.platform, 'vax')];
    for (const each of [own, ...foreign]) mkdirSync(each, { recursive: true });
    await run('scripts/install.mjs');
    assert.deepEqual([own, ...foreign].map(existsSync), [true, false, false]);
  }));

test('adds what only the tests need without emptying what runs', () =>
  withClone(async ({ run, calls }) => {
    await run('scripts/install.mjs');
    const { errors } = await run('scripts/install.mjs', '--dev');
    assert.match(errors, /installing 1 package …/);
    assert.match(calls()[1]!, /^install --no-save .*--include=dev$/);
    await run('scripts/install.mjs', '--dev');
    await run('scripts/install.mjs');
    assert.equal(calls().length, 2);
  }));

test('says in a sentence what went wrong, and the next start tries again', () =>
  withClone(async ({ folder, run }) => {
    writeFileSync(join(folder, 'broken'), '');
    const { status, errors } = await run('scripts/install.mjs');
    assert.equal(status, 1);
    assert.match(errors, /\(INSTALL_FAILED\)\n {2}Check the network/);
    assert.doesNotMatch(errors, /\n\s+at /);
    rmSync(join(folder, 'broken'));
    assert.equal((await run('scripts/install.mjs')).status, 0);
  }));

test('a lock whose holder was killed does not hold the next start', () =>
  withClone(async ({ folder, run }) => {
    mkdirSync(join(folder, '.crawl4r/install.lock'), { recursive: true });
    writeFileSync(join(folder, '.crawl4r/install.lock/pid'), '4194305');
    assert.equal((await run('scripts/install.mjs')).status, 0);
  }));

test('a Node that is too old is told so', () =>
  withClone(async ({ folder, run, calls }) => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '16.20.2' } });`;
    writeFileSync(join(folder, 'old.cjs'), pretend);
    const { status, errors } = await run('--require', './old.cjs', 'scripts/install.mjs');
    assert.equal(status, 1);
    assert.match(errors, /Node\.js 16\.20\.2 is too old \(NODE_TOO_OLD\)\n {2}Install Node\.js 20 or newer\./);
    assert.deepEqual(calls(), []);
  }));
