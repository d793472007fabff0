// npm run check: everything that can be known without running the program. One line per check, the trouble below it.
import { spawn } from 'child_process';
import fs from 'fs';
import path from 'path';
import { install, root } from './install.mjs';
import { findNode } from './launch.mjs';

const AT_ONCE = 2;
const CHECKS = [
  ['types', 'node_modules/typescript/bin/tsc', '-p', '.'],
  ['client ts', 'node_modules/typescript/bin/tsc', '-p', 'clients/typescript', '--noEmit'],
  ['schema', 'scripts/generate-schema.ts', '--check'],
  ['style', 'node_modules/@biomejs/biome/bin/biome', 'check', '.', '--colors=off', '--max-diagnostics=50'],
  ['dead code', 'node_modules/knip/bin/knip.js', '--no-progress'],
  ['imports', 'scripts/check-imports.ts'],
  ['words', 'scripts/check-words.ts'],
  ['regexes', 'scripts/check-regexes.ts'],
  ['lock file', 'scripts/complete-lock.ts', '--check'],
  ['api', 'scripts/generate-openapi.ts', '--check'],
  ['client', 'scripts/generate-client.ts', '--check'],
  ['settings', 'scripts/generate-env.ts', '--check'],
];

install(true).then(async () => {
  const node = findNode();
  const queue = CHECKS.filter((check) => fs.existsSync(path.join(root, check[1])));
  const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, () => work(node, queue)));
  const failed = outcomes.reduce((sum, each) => sum + each, 0);
  console.log(failed === 0 ? 'all checks passed' : failed + (failed === 1 ? ' check' : ' checks') + ' failed');
  process.exitCode = failed === 0 ? 0 : 1;
});

/** Takes checks off the queue until it is empty; resolves with how many failed. */
async function work(node, queue) {
  let failed = 0;
  for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
    const [name, ...args] = check;
    const start = Date.now();
    const { status, output } = await run(node, args);
    if (status !== 0) failed++;
    const mark = status === 0 ? '✔' : '✖';
    console.log(mark + ' ' + name.padEnd(10) + ((Date.now() - start) / 1000).toFixed(1) + ' s');
    if (status !== 0) console.log(output.trim().replace(/^/gm, '    '));
  }
  return failed;
}

function run(node, args) {
  return new Promise((resolve) => {
    const flags = args[0].endsWith('.ts') ? ['--disable-warning=ExperimentalWarning'] : [];
    const child = spawn(node, [...flags, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (output += text));
    child.on('close', (status) => resolve({ status, output }));
  });
}
