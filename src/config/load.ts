import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { Settings } from './settings.ts';

export interface LoadedSettings {
  settings: Settings;
  /** Names that look like ours but mean nothing; printed once at start. */
  warnings: string[];
}

type Nested = { [name: string]: string | Nested };

const camel = (name: string) => name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Environment over an optional JSON file (CONFIG_FILE) over defaults. Lists every problem at once. */
export function loadSettings(env: Record<string, string | undefined>, overrides: Partial<Nested> = {}): LoadedSettings {
  const groups = Settings.shape as Record<string, z.ZodType>;
  const warnings: string[] = [];
  const fromEnv: Nested = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue;
    const path = name.split('__').map(camel);
    const known = path.length <= 2 && path[0] !== undefined && path[0] in groups;
    if (path.length === 1 && known && !isGroup(groups[path[0]!]!)) fromEnv[path[0]!] = value;
    else if (path.length === 2 && known && isGroup(groups[path[0]!]!)) {
      const fields = groupFields(groups[path[0]!]!);
      if (path[1]! in fields) {
        fromEnv[path[0]!] = { ...(fromEnv[path[0]!] as Nested), [path[1]!]: value };
      } else
        warnings.push(`${name} is not a setting; ${path[0]} knows ${Object.keys(fields).map(envName).join(', ')}.`);
    } else if (name.includes('__') && /^[A-Z0-9_]+$/.test(name) && known) warnings.push(`${name} is not a setting.`);
  }
  const merged = merge(merge(readFile(env.CONFIG_FILE), fromEnv), overrides as Nested);
  const parsed = Settings.safeParse(merged);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.map((part) => envName(String(part))).join('__')}: ${issue.message}`,
    );
    throw new AppError('CONFIG_INVALID', `settings are not usable: ${problems.join('; ')}`, { details: { problems } });
  }
  return { settings: { ...parsed.data, dataDir: resolve(parsed.data.dataDir) }, warnings };
}

function readFile(path: string | undefined): Nested {
  if (path === undefined) return {};
  try {
    return z.record(z.string(), z.json()).parse(JSON.parse(readFileSync(path, 'utf8'))) as Nested;
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', `CONFIG_FILE ${path} is not readable JSON`, { cause });
  }
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
const isGroup = (schema: z.ZodType) => groupFields(schema) !== undefined;

/** The fields of a nested group, or undefined for a plain setting. */
export function groupFields(schema: z.ZodType): Record<string, z.ZodType> {
  const inner = schema instanceof z.ZodPrefault ? (schema.def.innerType as z.ZodType) : schema;
  return (inner instanceof z.ZodObject ? inner.shape : undefined) as Record<string, z.ZodType>;
}

/** `rateLimit` → RATE_LIMIT. */
export const envName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
