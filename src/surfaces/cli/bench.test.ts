import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { it } from 'node:test';

const ROOT = join(import.meta.dirname, '../../..');
const BENCHMARK =
  "import { CheerioCrawler } from '@crawlee/cheerio';\nconsole.log(JSON.stringify(typeof CheerioCrawler));\n";

/** A clone that was installed to run, not to develop. `npm` stands in for npm; it is given the folder of all packages. */
function runInClone(npm: string) {
  const clone = mkdtempSync(join(tmpdir(), 'crawl4r-bench-'));
  try {
    for (const name of ['src', 'scripts', 'package.json', 'package-lock.json'])
      cpSync(join(ROOT, name), join(clone, name), { recursive: true });
    for (const name of ['bench', 'node_modules', 'tools']) mkdirSync(join(clone, name));
    const packages = join(ROOT, 'node_modules');
    // The installer removes what is for other platforms from the last two: they stay out of its reach.
    for (const name of readdirSync(packages).filter(
      (entry) => !/^(?:\..*|@crawlee|onnxruntime-node|node-.*)$/.test(entry),
    ))
      symlinkSync(join(packages, name), join(clone, 'node_modules', name));
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    const entries = Object.entries(lock.packages as Record<string, { dev?: boolean }>);
    const installed = { packages: Object.fromEntries(entries.filter(([, { dev }]) => dev !== true)) };
    writeFileSync(join(clone, 'node_modules/.package-lock.json'), JSON.stringify(installed));
    writeFileSync(join(clone, 'bench/crawl.ts'), BENCHMARK);
    writeFileSync(join(clone, 'tools/npm'), `#!/bin/sh\nall=${packages}\n${npm}`);
    chmodSync(join(clone, 'tools/npm'), 0o755);
    const env = { PATH: `${join(clone, 'tools')}:${dirname(process.execPath)}:/usr/bin:/bin` };
    return spawnSync(process.execPath, [join(clone, 'src/main.ts'), 'bench', 'crawl'], { env, encoding: 'utf8' });
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

it('bench installs the development packages where they are missing', () => {
  const { status, stdout, stderr } = runInClone(
    'case "$*" in *--include=dev*) ln -s "$all/@crawlee" node_modules/@crawlee;; esac',
  );
  assert.equal(status, 0, stderr);
  assert.equal(stdout, '"function"\n');
  assert.match(stderr, /installed \d+ packages/);
});

it('bench says in one sentence that they cannot be installed, and what to do', () => {
  const { status, stdout, stderr } = runInClone('echo "npm error network" >&2; exit 1');
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /crawl4r: npm could not install the packages \(INSTALL_FAILED\)\n {2}Check the network/);
  assert.doesNotMatch(stderr, /\n\s+at |node:internal/);
});
