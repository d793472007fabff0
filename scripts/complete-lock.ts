// npm leaves platform packages that the configured registry does not offer out of the lock file, and then npm ci refuses
// that file everywhere. This adds them back: their version is fixed by the package that wants them, and their name says
// which platform they are for, so no other platform ever fetches them. With --check it only says what is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Entry {
  version?: string;
  cpu?: string[] | undefined;
  dev?: boolean | undefined;
  libc?: string[] | undefined;
  optional?: boolean;
  os?: string[] | undefined;
  optionalDependencies?: Record<string, string>;
}

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64'];

const file = resolve(import.meta.dirname, '../package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> };
const missing = Object.entries(lock.packages).flatMap(([, parent]) => findMissing(parent));
if (missing.length > 0 && process.argv.includes('--check')) {
  console.error(`package-lock.json lacks ${missing.map(([name]) => name).join(', ')}: run npm run generate`);
  process.exitCode = 1;
} else if (missing.length > 0) {
  const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(missing) });
  packages.sort(([a], [b]) => a.localeCompare(b, 'en'));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, undefined, 2)}\n`);
}

function findMissing(parent: Entry): [string, Entry][] {
  return Object.entries(parent.optionalDependencies ?? {}).flatMap(([name, version]): [string, Entry][] => {
    const path = `node_modules/${name}`;
    const platform = readPlatform(name);
    if (path in lock.packages || platform === undefined || !/^\d/.test(version)) return [];
    const { os, cpu, libc } = platform;
    return [[path, { version, cpu, dev: parent.dev, libc, optional: true, os }]];
  });
}

function readPlatform(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> | undefined {
  const parts = name.split(/[-/]/);
  const os = SYSTEMS.find((system) => parts.includes(system));
  const cpu = PROCESSORS.find((processor) => parts.includes(processor));
  if (os === undefined || cpu === undefined) return undefined;
  const libc = parts.some((part) => part.startsWith('musl'))
    ? 'musl'
    : parts.some((part) => part.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return { os: [os], cpu: [cpu], libc: libc === undefined ? undefined : [libc] };
}
