// Enforces which folder may import which. Prints every breach and ends with 1 if there is any.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';

/**
 * Zone → the zones it may import, besides itself. The list is in order: a zone imports from lines above it, so the
 * picture of CONTRIBUTING.md has no circle. A zone is a folder or file below src; the longest name that fits counts.
 * `type:` allows types only, from anywhere.
 */
const GROUND = ['actor', 'errors', 'ids', 'log', 'redact', 'gate', 'bell', 'secrets', 'process-name'];
const STAGES = ['fetch', 'frontier', 'discover', 'extract', 'store', 'index', 'search'].map(
  (stage) => `pipeline/${stage}`,
);
const ZONES: Record<string, string[]> = {
  ...Object.fromEntries(GROUND.map((file) => [file, []])),
  config: [],
  web: [],
  text: [],
  ports: [],
  db: ['ports'],
  demo: [],
  drivers: ['ports', 'web', 'text', 'config'],
  // The stages of the pipeline. Nothing in one knows a later stage, but for the shape of what it hands over.
  'pipeline/fetch': ['web', 'ports', 'db', 'type:config', 'type:pipeline/frontier'],
  'pipeline/frontier': ['web', 'ports', 'db', 'type:pipeline/extract', 'type:config'],
  'pipeline/discover': ['web', 'text', 'ports', 'db', 'pipeline/fetch', 'pipeline/frontier', 'type:config'],
  // Site parsers are plug-ins of extraction: it lists them, they use its tools.
  'pipeline/extract': ['web', 'text', 'ports', 'db', 'parsers', 'pipeline/discover', 'type:config'],
  parsers: ['web', 'text', 'pipeline/extract'],
  'pipeline/store': [
    'web',
    'ports',
    'db',
    'pipeline/frontier',
    'pipeline/extract',
    'parsers',
    'type:pipeline',
    'type:config',
  ],
  'pipeline/index': ['text', 'ports', 'db', 'type:config'],
  'pipeline/search': ['text', 'ports', 'db', 'pipeline/index', 'type:config'],
  pipeline: ['web', 'text', 'ports', 'db', ...STAGES, 'type:config'],
  operations: ['web', 'text', 'ports', 'db', 'pipeline', ...STAGES, 'parsers', 'config', 'type:app'],
  jobs: ['operations', 'web', 'ports', 'db', 'pipeline', ...STAGES, 'type:config', 'type:app'],
  scheduler: ['jobs', 'operations', 'ports', 'db', 'pipeline', ...STAGES, 'type:config', 'type:app'],
  // The two composition roots: the program, and the workbench, which has no database.
  app: ['config', 'web', 'ports', 'db', 'pipeline', ...STAGES, 'drivers'],
  workbench: ['config', 'web', 'text', 'ports', 'pipeline', ...STAGES, 'drivers'],
  roles: ['scheduler', 'jobs', 'operations', 'web', 'ports', 'db', 'pipeline', ...STAGES, 'config', 'type:app'],
  surfaces: [
    ...['app', 'workbench', 'roles', 'jobs', 'scheduler', 'operations', 'config', 'web', 'text', 'ports', 'db', 'demo'],
    ...['pipeline', ...STAGES],
  ],
  main: ['config', 'surfaces', 'app'],
};

/** Modules that open sockets, and where they may be imported: the guarded client, engines' own drivers, our servers. */
const SOCKETS = /^(node:)?(net|tls|http|https|http2|dgram|dns|dns\/promises)$|^(undici|ws|pg|redis|amqplib)$/;
const MAY_OPEN = [
  'src/drivers/fetcher/',
  'src/web/filter-proxy.ts',
  'src/drivers/database/',
  'src/drivers/dispatch/',
  'src/drivers/cache/',
  'src/surfaces/http/',
  'src/demo/',
];
/** Names of these modules that only look at text. */
const PURE = /^(type )?(isIP|isIPv4|isIPv6|BlockList|AddressInfo|IncomingMessage|ServerResponse|STATUS_CODES)$/;
/** Reads a page where it is called: in the pool's threads and processes, and in the workbench, which reads nothing else. */
const EXTRACT_PAGE = 'src/pipeline/extract/extract-page.ts';
const MAY_EXTRACT = ['src/pipeline/extract/pool-', 'src/surfaces/cli/try/'];
const MAY_READ_ENV = ['src/config/', 'src/main.ts'];
/** The client of the API: the command line works through it. It knows nothing of the program and needs no package. */
const CLIENT = 'clients/typescript/src/';
const MAY_USE_CLIENT = ['src/surfaces/cli/'];

interface Import {
  names: string;
  typeOnly: boolean;
  from: string;
}

const root = resolve(import.meta.dirname, '..');
const sources = new Map(
  globSync(['src/**/*.ts', `${CLIENT}**/*.ts`], { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .map((file) => [file, withoutComments(readFileSync(join(root, file), 'utf8'))]),
);
const problems = [...[...sources].flatMap(([file, code]) => checkFile(file, code)), ...findCycles()];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function checkFile(file: string, code: string): string[] {
  const found = readImports(code).flatMap((each) => checkImport(file, each) ?? []);
  if (file.startsWith(CLIENT)) return found;
  if (/\bprocess\.env\b/.test(code) && !startsWithAny(file, MAY_READ_ENV))
    found.push(`${file}: reads process.env; settings come from src/config`);
  if (/(?:\b(?:await|return)|[=(,?:]|=>)\s*(?:globalThis\.)?fetch\(/.test(code) && !startsWithAny(file, MAY_OPEN))
    found.push(`${file}: calls the global fetch; use the guarded Fetcher`);
  return found;
}

function checkImport(file: string, { names, typeOnly, from }: Import): string | undefined {
  if (file.startsWith(CLIENT))
    return from.startsWith('./') ? undefined : `${file}: the client imports nothing but its own files (${from})`;
  if (!from.startsWith('.')) {
    const pure =
      typeOnly || (names !== '' && names.split(',').every((name) => name.trim() === '' || PURE.test(name.trim())));
    if (SOCKETS.test(from) && !pure && !startsWithAny(file, MAY_OPEN)) return `${file}: opens sockets (${from})`;
    return undefined;
  }
  const target = normalize(join(dirname(file), from));
  if (target === 'package.json') return undefined;
  if (target === `${CLIENT}index.ts` && startsWithAny(file, MAY_USE_CLIENT)) return undefined;
  if (!target.startsWith('src/')) return `${file}: reaches out of src (${from})`;
  if (target === EXTRACT_PAGE && !startsWithAny(file, MAY_EXTRACT))
    return `${file}: parses foreign text where it runs; use the pool (app.extractor)`;
  const [own, other] = [zoneOf(file), zoneOf(target)];
  if (own === other || GROUND.includes(other)) return undefined;
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
  const path = file.slice('src/'.length).replace(/\.ts$/, '');
  const folder = path.split('/').slice(0, 2).join('/');
  return folder in ZONES ? folder : path.split('/')[0]!;
}

/** Circles among files that import each other's values; types are free to point back. */
function findCycles(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) found.push(`circle: ${[...path.slice(start), file].join(' → ')}`);
    if (start >= 0 || done.has(file)) return;
    for (const { from, typeOnly } of readImports(sources.get(file) ?? ''))
      if (from.startsWith('.') && !typeOnly) visit(normalize(join(dirname(file), from)), [...path, file]);
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return found;
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function startsWithAny(file: string, prefixes: string[]): boolean {
  return prefixes.some((prefix) => file.startsWith(prefix));
}
