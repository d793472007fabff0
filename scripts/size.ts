// How much is installed, and how much memory `crawl4r up` takes at rest.
//   node scripts/size.ts            prints both; the memory of an instance that it starts and stops itself
//   node scripts/size.ts --pid N    the memory of a running one
//   node scripts/size.ts --write    also puts the figures into README.md
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

interface Entry {
  dev?: boolean;
}

const REST_MS = 60_000;
const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { pid: { type: 'string' }, write: { type: 'boolean', default: false } } });

const installed = measureInstalled();
const memory = values.pid === undefined ? await measureOwnInstance() : measureMemory(Number(values.pid));
const block = [
  '| | packages | size |',
  '| --- | --- | --- |',
  `| installed to run | ${installed.run.packages} | ${megabytes(installed.run.bytes)} |`,
  `| installed to develop and test | ${installed.all.packages} | ${megabytes(installed.all.bytes)} |`,
  '',
  '| memory of `crawl4r up` at rest | |',
  '| --- | --- |',
  `| the program | ${megabytes(memory.program)} |`,
  `| PostgreSQL | ${megabytes(memory.postgres)} |`,
].join('\n');
console.log(block);
if (values.write) writeReadme();

/** What is on the disk, by npm's own list; packages only the tests need are counted apart. */
function measureInstalled() {
  const list = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>;
  };
  const run = { packages: 0, bytes: 0 };
  const all = { packages: 0, bytes: 0 };
  for (const [path, { dev }] of Object.entries(list.packages)) {
    const bytes = sizeOf(join(root, path));
    all.packages++;
    all.bytes += bytes;
    if (dev) continue;
    run.packages++;
    run.bytes += bytes;
  }
  return { run, all };
}

/** Blocks on disk below a folder; packages nested in it have entries of their own. */
function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += entry.name === 'node_modules' ? 0 : sizeOf(path);
    else if (entry.isFile()) bytes += statSync(path).blocks * 512;
  }
  return bytes;
}

async function measureOwnInstance() {
  const dataDir = mkdtempSync(join(tmpdir(), 'crawl4r-size-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' };
  const child = spawn(join(root, 'bin', 'crawl4r'), ['up'], { cwd: root, env, stdio: 'ignore' });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  try {
    await Promise.race([new Promise((done) => setTimeout(done, REST_MS)), ended]);
    if (child.exitCode !== null) throw new Error('crawl4r up ended before it could be measured');
    return measureMemory(child.pid!);
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Proportional sizes, so that memory several processes share is counted once. */
function measureMemory(pid: number): { program: number; postgres: number } {
  const program = familyOf(pid);
  const dataDir = readEnvironment(pid).DATA_DIR ?? join(root, 'data');
  const pidFile = join(dataDir, 'postgres/cluster/postmaster.pid');
  const server = existsSync(pidFile) ? familyOf(Number.parseInt(readFileSync(pidFile, 'utf8'), 10)) : [];
  return { program: sum(program.filter((each) => !server.includes(each))), postgres: sum(server) };
}

function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
}

function sum(pids: number[]): number {
  return pids.reduce((total, pid) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return total + Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
  }, 0);
}

function readEnvironment(pid: number): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(entries.map((entry) => [entry.split('=')[0], entry.slice(entry.indexOf('=') + 1)]));
}

function writeReadme(): void {
  const file = join(root, 'README.md');
  const text = readFileSync(file, 'utf8');
  const marked = text.replace(/<!-- size -->[\s\S]*<!-- \/size -->/, `<!-- size -->\n\n${block}\n\n<!-- /size -->`);
  writeFileSync(file, marked);
  spawnSync('node_modules/.bin/biome', ['format', '--write', 'README.md'], { cwd: root, stdio: 'ignore' });
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
