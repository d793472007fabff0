// Tries to make every regular expression of src take more than linear time (recheck's fuzzer: it counts steps, so the
// verdict does not depend on the machine). Prints each that gives in, with the attack, and ends with 1 if there is any.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** Expressions that are not linear, and what bounds the text they read. */
const BOUNDED: [file: string, source: string, reason: string][] = [
  ['src/demo/markup.ts', '\\[([^\\]]+)\\]\\(([^)]+)\\)', 'reads the pages of the demo, which are ours'],
];
/** Where an expression is made in a function, and why it is harmless. Those made when a file is loaded are checked. */
const MADE_LATER: Record<string, string> = {
  'src/pipeline/index/tokens.ts': 'special tokens of a model, escaped: a list of literals',
  'src/pipeline/index/blocks.ts': 'one mark, repeated: anchored at the start of a line',
  'src/surfaces/http/server.ts': 'our own routes',
};

/**
 * Small limits: an expression that reads 4,000 characters of the worst text found with 250,000 steps passes; a
 * quadratic one takes millions.
 */
const PARAMETERS = {
  checker: 'fuzz',
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  recallTimeout: -1,
  attackLimit: 250_000,
  incubationLimit: 8_000,
  maxAttackStringSize: 4_000,
  maxSeedStringSize: 100,
  maxGeneStringSize: 200,
  maxInitialGenerationSize: 12,
  maxGenerationSize: 5,
  maxIteration: 0,
  crossoverSize: 0,
  mutationSize: 0,
} as const;

interface Found {
  file: string;
  source: string;
  flags: string;
}

const root = resolve(import.meta.dirname, '..');
// Its main file starts a native program or Java; this one is plain JavaScript.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck');
const files = globSync(['src/**/*.ts', 'clients/**/*.ts'], { cwd: root }).filter((file) => !file.endsWith('.test.ts'));

const problems: string[] = [];
const known = new Set<string>();
for (const found of [...files.flatMap(readLiterals), ...(await readMade())]) {
  const key = `/${found.source}/${found.flags}`;
  if (known.has(key) || !canRepeat(found.source)) continue;
  known.add(key);
  const result = checkSync(found.source, found.flags, PARAMETERS);
  if (result.status === 'safe' || isBounded(found)) continue;
  const attack = result.status === 'vulnerable' ? result.attack.pattern : JSON.stringify(result.error);
  problems.push(`${found.file}: ${key} is not linear: ${attack}`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function readLiterals(file: string): Found[] {
  const found: Found[] = [];
  const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ file, source: node.regex.pattern, flags: node.regex.flags });
    },
  }).visit(program);
  return found;
}

/** Those that `new RegExp` makes when a file is loaded. */
async function readMade(): Promise<Found[]> {
  const found: Found[] = [];
  const Original = globalThis.RegExp;
  for (const file of files.filter((each) => /new RegExp\(/.test(readFileSync(join(root, each), 'utf8')))) {
    const before = found.length;
    globalThis.RegExp = new Proxy(Original, {
      construct(target, args: ConstructorParameters<typeof RegExp>) {
        const made = new target(...args);
        found.push({ file, source: made.source, flags: made.flags });
        return made;
      },
    });
    if (!(file in MADE_LATER)) await import(join(root, file));
    globalThis.RegExp = Original;
    if (found.length === before && !(file in MADE_LATER))
      problems.push(`${file}: makes an expression in a function, where it cannot be checked; see MADE_LATER`);
  }
  return found;
}

/** Without `*`, `+` or `{n,}` no expression reads a character more than a fixed number of times. */
function canRepeat(source: string): boolean {
  return /[*+]|\{\d+,\}/.test(source.replace(/\\./g, '_').replace(/\[[^\]]*\]/g, '_'));
}

function isBounded({ file, source }: Found): boolean {
  return BOUNDED.some(([where, what]) => where === file && what === source);
}
