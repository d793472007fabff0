import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { envName, GROUPS, groupFields, propertyName } from './names.ts';
import { ALIASES, WITHOUT_EFFECT } from './other-names.ts';
import { Settings } from './settings.ts';

export interface LoadedSettings {
  settings: Settings;
  /** Names that look like ours but mean nothing; printed once at start. */
  warnings: string[];
  /** Where each setting that is not a default was read from, by its environment name. */
  sources: Map<string, 'environment' | 'file'>;
}

type Nested = { [name: string]: unknown };

/** Environment over an optional JSON file (CONFIG_FILE) over defaults. Lists every problem at once. */
export function loadSettings(env: Record<string, string | undefined>, overrides: Nested = {}): LoadedSettings {
  const warnings: string[] = [];
  const sources: LoadedSettings['sources'] = new Map();
  const fromFile = readFile(env.CONFIG_FILE);
  for (const path of pathsOf(fromFile)) {
    if (isSetting(path)) sources.set(path.map(envName).join('__'), 'file');
    else warnings.push(`${path.join('.')} in ${env.CONFIG_FILE} is not a setting.`);
  }
  const fromEnv: Nested = {};
  for (const [name, value] of withAliases(env)) {
    const path = name.split('__').map(propertyName);
    if (isSetting(path)) {
      assign(fromEnv, path, value);
      sources.set(name, 'environment');
    } else if (Object.hasOwn(WITHOUT_EFFECT, name)) warnings.push(`${name} has no effect: ${WITHOUT_EFFECT[name]}`);
    else warnings.push(...explainUnknown(name, path));
  }
  const parsed = Settings.safeParse(merge(merge(fromFile, fromEnv), overrides));
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.map((part) => envName(String(part))).join('__')}: ${issue.message}`,
    );
    throw unusable(problems);
  }
  const { issuer, clientId } = parsed.data.oidc;
  if (issuer !== undefined && clientId === undefined)
    throw unusable(['OIDC__CLIENT_ID: has to be given with OIDC__ISSUER']);
  return { settings: { ...parsed.data, dataDir: resolve(parsed.data.dataDir) }, warnings, sources };
}

const unusable = (problems: string[]) =>
  new AppError('CONFIG_INVALID', `settings are not usable: ${problems.join('; ')}`, { details: { problems } });

/** What is set, the other names of settings replaced by ours. */
function withAliases(env: Record<string, string | undefined>): [name: string, value: string][] {
  const given = Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.flatMap(([name, value]): [string, string][] => {
    if (!Object.hasOwn(ALIASES, name)) return [[name, value]];
    const { setting, convert } = ALIASES[name]!;
    const ours = setting.map((part) => envName(part!)).join('__');
    const converted = env[ours] ? undefined : convert(value);
    return converted === undefined ? [] : [[ours, converted]];
  });
}

function isSetting([group, field, ...rest]: string[]): boolean {
  if (group === undefined || rest.length > 0 || !Object.hasOwn(GROUPS, group)) return false;
  const fields = groupFields(GROUPS[group]!);
  return fields === undefined ? field === undefined : field !== undefined && Object.hasOwn(fields, field);
}

/** A name in our style is worth a word: the right group with a wrong field, or a group one slip away from ours. */
function explainUnknown(name: string, [group = '', ...rest]: string[]): string[] {
  if (!/^[A-Z0-9_]+$/.test(name) || rest.length === 0) return [];
  const fields = Object.hasOwn(GROUPS, group) ? groupFields(GROUPS[group]!) : undefined;
  if (fields !== undefined)
    return [`${name} is not a setting; ${envName(group)} knows ${Object.keys(fields).map(envName).join(', ')}.`];
  const near = Object.keys(GROUPS).find((known) => groupFields(GROUPS[known]!) && isNear(known, group));
  return near === undefined ? [] : [`${name} is not a setting; did you mean ${envName(near)}__…?`];
}

/** One letter more, less, wrong or swapped with its neighbour. */
function isNear(known: string, given: string): boolean {
  if (Math.abs(known.length - given.length) > 1 || known.length < 4) return false;
  let start = 0;
  while (start < known.length && known[start] === given[start]) start++;
  let end = 0;
  while (end < known.length - start && end < given.length - start && known.at(-1 - end) === given.at(-1 - end)) end++;
  const [left, right] = [known.slice(start, known.length - end), given.slice(start, given.length - end)];
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === [...right].reverse().join(''));
}

function readFile(path: string | undefined): Nested {
  if (path === undefined || path === '') return {};
  try {
    return z.record(z.string(), z.json()).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', `CONFIG_FILE ${path} is not a readable JSON object`, { cause });
  }
}

function pathsOf(nested: Nested): string[][] {
  return Object.entries(nested).flatMap(([name, value]) =>
    isPlain(value) ? Object.keys(value).map((field) => [name, field]) : [[name]],
  );
}

function assign(nested: Nested, [group, field]: string[], value: string): void {
  if (field === undefined) nested[group!] = value;
  else nested[group!] = { ...(nested[group!] as Nested | undefined), [field]: value };
}

function merge(base: Nested, over: Nested): Nested {
  const result: Nested = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = result[name];
    result[name] = isPlain(before) && isPlain(value) ? { ...before, ...value } : value;
  }
  return result;
}

const isPlain = (value: unknown): value is Nested =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
