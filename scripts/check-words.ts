// What a reader should never meet: notes of unfinished work, paths of one machine, words of our own, files too long to read.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FORBIDDEN: { pattern: RegExp; why: string }[] = [
  { pattern: /\b(TODO|FIXME|XXX|HACK)\b/, why: 'finish it, or leave it out' },
  { pattern: /(?<![\w.:/])\/(home|Users|root|work|mnt)\/[a-z0-9]/i, why: 'a path of one machine' },
  { pattern: /\b(console\.log|debugger)\b(?=.*;)/, why: 'left over from a search for a fault' },
];
/** Words of our own that came up in comments, and the words every reader knows. */
const HOUSE_WORDS: { pattern: RegExp; why: string }[] = [
  { pattern: /\bblanks?\b(?! lines?\b)/i, why: 'say whitespace or space' },
  { pattern: /\b(he|his|him|himself)\b/i, why: 'name the caller, worker, process or user' },
  { pattern: /\b(whoever|somebody|nobody|everybody|anybody)\b/i, why: 'name the caller, worker, process or user' },
  { pattern: /\b(told|tells?)\b/i, why: 'say reports, notifies, returns or distinguishes' },
  { pattern: /\brooms?\b/i, why: 'say capacity, space or free places' },
  { pattern: /\bin vain\b|\bby heart\b|\brow of turns\b|\bthe house\b/i, why: 'say it plainly' },
];
const COMMENT = /^\s*(?:\/\/|\/?\*)(.*)|\s\/\/ (.*)/;
const MAX_LINES = 400;
const GENERATED = /^(docs\/(schema\.md|openapi\.json)|clients\/typescript\/src\/generated\.ts|package-lock\.json)$/;
/** Text that is data: it may say anything. */
const DATA = /(^|\/)(fixtures|content)\/|\.(png|pdf|gz|jsonl|svg|ico|woff2)$/;
const SELF = 'scripts/check-words.ts';

const root = resolve(import.meta.dirname, '..');
const files = listFiles().filter((file) => file !== SELF && !GENERATED.test(file) && !DATA.test(file));
const problems = files.flatMap(checkFile);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function checkFile(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const found = lines.flatMap((line, index) =>
    FORBIDDEN.filter(({ pattern }) => pattern.test(line) && !(isScript(file) && /console/.test(line))).map(
      ({ pattern, why }) => `${file}:${index + 1}: ${pattern.exec(line)![0]}: ${why}`,
    ),
  );
  if (/^(src|clients)\/.*\.ts$/.test(file))
    found.push(...lines.flatMap((line, index) => checkComment(line, `${file}:${index + 1}`)));
  if (/^(src|scripts|test|clients)\/.*\.ts$/.test(file) && lines.length > MAX_LINES)
    found.push(`${file}: ${lines.length} lines; split it (at most ${MAX_LINES})`);
  return found;
}

function checkComment(line: string, at: string): string[] {
  const [, whole, trailing] = COMMENT.exec(line) ?? [];
  const comment = whole ?? trailing ?? '';
  return HOUSE_WORDS.filter(({ pattern }) => pattern.test(comment)).map(
    ({ pattern, why }) => `${at}: ${pattern.exec(comment)![0]}: ${why}`,
  );
}

function isScript(file: string): boolean {
  return /^(scripts|bench|eval|test)\//.test(file);
}

/** What git knows, or would add; every file where there is no git. */
function listFiles(): string[] {
  try {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return [...new Set(listed.split('\0').filter((file) => file !== '' && file !== 'node_modules'))].filter(exists);
  } catch {
    return globSync('{*.md,*.json,bin/*,.ci/*,{src,test,scripts,bench,eval,docs,clients}/**/*.*}', { cwd: root });
  }
}

function exists(file: string): boolean {
  return globSync(file.replace(/[[\]{}()*?!]/g, '\\$&'), { cwd: root }).length > 0;
}
