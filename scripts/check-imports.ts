// Holds the rules of the house about who may know whom. Prints every breach and ends with 1 if there is any.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';

/** The ground floor: everybody may stand on it. */
const BASE = ['errors', 'ids', 'log', 'redact'];

/**
 * Zone → the zones it may import, besides itself and the ground floor. A zone is the first folder (or file) below src.
 * `type:` allows types only.
 */
const ZONES: Record<string, string[]> = {
  errors: [],
  ids: [],
  log: [],
  redact: [],
  config: [],
  ports: ['type:db', 'type:pipeline'],
  db: ['ports', 'type:pipeline', 'type:config'],
  parsers: ['pipeline'],
  pipeline: ['ports', 'db', 'parsers', 'type:config'],
  drivers: ['ports', 'pipeline', 'config', 'type:db'],
  operations: ['ports', 'db', 'pipeline', 'parsers', 'config', 'type:app'],
  // One layer: what runs without being asked each time.
  jobs: ['operations', 'ports', 'db', 'pipeline', 'roles', 'type:config', 'type:app'],
  scheduler: ['operations', 'ports', 'db', 'pipeline', 'jobs', 'roles', 'type:config', 'type:app'],
  roles: ['operations', 'ports', 'db', 'pipeline', 'jobs', 'scheduler', 'config', 'type:app'],
  demo: [],
  // The two composition roots: the program, and the workbench, which has no database.
  app: ['config', 'ports', 'db', 'pipeline', 'drivers'],
  workbench: ['config', 'ports', 'pipeline', 'drivers'],
  surfaces: [
    'app',
    'workbench',
    'roles',
    'jobs',
    'scheduler',
    'operations',
    'config',
    'ports',
    'db',
    'pipeline',
    'demo',
  ],
  main: ['config', 'surfaces', 'app'],
};

/** Modules that open sockets, and where they may be imported: the guarded client, engines' own drivers, our servers. */
const SOCKETS = /^(node:)?(net|tls|http|https|http2|dgram|dns|dns\/promises)$|^(undici|ws|pg|redis|amqplib)$/;
const MAY_OPEN = [
  'src/drivers/fetcher/',
  'src/pipeline/fetch/',
  'src/drivers/database/',
  'src/drivers/dispatch/',
  'src/drivers/cache/',
  'src/surfaces/http/',
  'src/demo/',
];
/** Names of these modules that only look at text. */
const PURE = /^(type )?(isIP|isIPv4|isIPv6|BlockList|AddressInfo|IncomingMessage|ServerResponse|STATUS_CODES)$/;
const MAY_READ_ENV = ['src/config/', 'src/main.ts'];

interface Import {
  names: string;
  typeOnly: boolean;
  from: string;
}

const root = resolve(import.meta.dirname, '..');
const problems = globSync('src/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort()
  .flatMap((file) => checkFile(file, readFileSync(join(root, file), 'utf8')));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function checkFile(file: string, source: string): string[] {
  const code = withoutComments(source);
  const found = readImports(code).flatMap((each) => checkImport(file, each) ?? []);
  if (/\bprocess\.env\b/.test(code) && !startsWithAny(file, MAY_READ_ENV))
    found.push(`${file}: reads process.env; settings come from src/config`);
  if (/(?:\b(?:await|return)|[=(,?:]|=>)\s*(?:globalThis\.)?fetch\(/.test(code) && !startsWithAny(file, MAY_OPEN))
    found.push(`${file}: calls the global fetch; use the guarded Fetcher`);
  return found;
}

function checkImport(file: string, { names, typeOnly, from }: Import): string | undefined {
  if (!from.startsWith('.')) {
    const pure =
      typeOnly || (names !== '' && names.split(',').every((name) => name.trim() === '' || PURE.test(name.trim())));
    if (SOCKETS.test(from) && !pure && !startsWithAny(file, MAY_OPEN)) return `${file}: opens sockets (${from})`;
    return undefined;
  }
  const target = normalize(join(dirname(file), from));
  if (target === 'package.json') return undefined;
  if (!target.startsWith('src/')) return `${file}: reaches out of src (${from})`;
  const [own, other] = [zoneOf(file), zoneOf(target)];
  if (own === other || BASE.includes(other)) return undefined;
  const allowed = ZONES[own];
  if (allowed === undefined) return `${file}: its zone "${own}" is not in the table of scripts/check-imports.ts`;
  if (allowed.includes(other) || (typeOnly && allowed.includes(`type:${other}`))) return undefined;
  return `${file}: ${own} may not import ${other} (${from})`;
}

function readImports(code: string): Import[] {
  const statics = code.matchAll(/^\s*(?:import|export)\s+(type\s+)?([^;'"]*?)\s*from\s*'([^']+)'/gm);
  const others = code.matchAll(/(?:\bimport\(\s*|^\s*import\s+|new URL\(\s*)'([^']+)'/gm);
  return [
    ...[...statics].map(([, type, names, from]) => ({
      names: /^\{(.*)\}$/s.exec(names!)?.[1] ?? '',
      typeOnly: type !== undefined || /^\{(\s*type\s+\w+(\s+as\s+\w+)?\s*,?)+\s*\}$/.test(names!),
      from: from!,
    })),
    ...[...others].map(([, from]) => ({ names: '', typeOnly: false, from: from! })),
  ];
}

function zoneOf(file: string): string {
  return file.split('/')[1]!.replace(/\.ts$/, '');
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function startsWithAny(file: string, prefixes: string[]): boolean {
  return prefixes.some((prefix) => file.startsWith(prefix));
}
