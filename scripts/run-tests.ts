// Runs every test, or the files that are named, and says how it went in one last line.
import { chmodSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createEmbeddedDatabase } from '../src/drivers/database/embedded.ts';
import { type FileResult, runTestFile } from './test-file.ts';

const PATTERNS = ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'clients/**/*.test.ts'];
const CONCURRENCY = 2;
const root = resolve(import.meta.dirname, '..');
const print = (line: string) => process.stdout.write(`${line}\n`);

const named = process.argv.slice(2);
// The long ones are in test/: they begin first, so that no core waits for the last of them alone.
const files = named.length > 0 ? named : globSync(PATTERNS, { cwd: root }).sort().reverse();
const missing = files.filter((file) => !existsSync(resolve(root, file)));
if (missing.length > 0 || files.length === 0) {
  print(missing.length > 0 ? `there is no test file ${missing.join(', ')}` : 'there are no tests');
  process.exit(1);
}

// Everything the tests put into a temporary folder lands in this one, and goes with it.
const folder = mkdtempSync(join(tmpdir(), 'crawl4r-run-'));
// Tests that act as another user must get through.
chmodSync(folder, 0o755);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
const results: FileResult[] = [];
try {
  const database = await createEmbeddedDatabase({ dataDir: folder, poolSize: 1, durable: false });
  process.env.TEST_DATABASE_URL = database.url;
  process.env.TMPDIR = folder;
  try {
    const queue = [...files];
    await Promise.all(Array.from({ length: CONCURRENCY }, () => work(queue)));
  } finally {
    await database[Symbol.asyncDispose]();
  }
  const left = await findLeftovers();
  if (left.length > 0) results.push(leftoverResult(left));
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
report();

async function work(queue: string[]): Promise<void> {
  for (let file = queue.shift(); file !== undefined && !stop.signal.aborted; file = queue.shift()) {
    const result = await runTestFile(resolve(root, file), stop.signal);
    results.push({ ...result, file });
    const marks = [`${result.passed} passed`];
    if (result.failed.length > 0) marks.push(`${result.failed.length} FAILED`);
    if (result.skipped.length > 0) marks.push(`${result.skipped.length} skipped`);
    print(`${result.failed.length > 0 ? '✖' : '✔'} ${file}  ${marks.join(', ')}  ${seconds(result.ms)}`);
  }
}

function report(): void {
  for (const { file, failed, output } of results) {
    for (const { name, message } of failed) print(`\n✖ ${file} › ${name}\n${indent(message)}`);
    if (failed.length > 0 && output.trim() !== '') print(`  it printed:\n${indent(output.trim().slice(-4_000))}`);
  }
  const skipped = results.flatMap(({ file, skipped }) => skipped.map((each) => ({ file, ...each })));
  if (skipped.length > 0) print('\nskipped:');
  for (const { file, name, reason } of skipped) print(`  ${file} › ${name}: ${reason}`);
  const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
  print(`\nslowest: ${slowest.map(({ file, ms }) => `${file} ${seconds(ms)}`).join(', ')}`);
  if (stop.signal.aborted) print('the run was stopped');
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed.length, 0);
  process.exitCode = failed > 0 || passed === 0 || stop.signal.aborted ? 1 : 0;
  print(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
}

/** Processes that still name the run's folder after a moment; they are ended, and the run fails for them. */
async function findLeftovers(): Promise<{ pid: number; command: string }[]> {
  for (let look = 0; ; look++) {
    const left = listProcesses().filter(({ command, environment }) => `${command}${environment}`.includes(folder));
    if (left.length === 0 || look === 30) {
      for (const { pid } of left) process.kill(pid, 'SIGKILL');
      return left;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

function listProcesses(): { pid: number; command: string; environment: string }[] {
  if (!existsSync('/proc/self/stat')) return [];
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!(pid > 0) || pid === process.pid) return [];
    try {
      const read = (what: string) => readFileSync(`/proc/${pid}/${what}`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid, command: read('cmdline'), environment: read('environ') }];
    } catch {
      return [];
    }
  });
}

function leftoverResult(left: { pid: number; command: string }[]): FileResult {
  const failed = left.map(({ command }) => ({ name: 'a process was left running', message: command.slice(0, 500) }));
  return { file: 'the run', ms: 0, passed: 0, skipped: [], failed, output: '' };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
