import type { z } from 'zod';
import { AppError } from '../../errors.ts';
import { findUnstorable } from '../../text/storable.ts';
import { isFields, replaceNames } from './replace-names.ts';

type Part = 'path' | 'query' | 'body';

/** An answer names at most so many problems, each in so many characters: a bad request is not sent back whole. */
const MAX_PROBLEMS = 20;
const MAX_WORDS = 300;

/** Parses one part of a request; what does not fit is listed field by field. */
export function parseInput(schema: z.ZodType | undefined, value: unknown, part: Part): unknown {
  if (schema === undefined) return undefined;
  const unstorable = findUnstorable(value);
  if (unstorable !== undefined) throw refuse([[nameField(part, unstorable.path), unstorable.problem]]);
  // A body of optional fields may be left out as a whole.
  const { body: given, problems } = replaceNames(schema, part === 'body' && value == null ? {} : value);
  if (problems.length > 0) throw refuse(problems.map(([path, message]) => [nameField(part, path), message]));
  let parsed = schema.safeParse(given);
  if (!parsed.success && part === 'body') {
    const cleaned = withoutNulls(given, parsed.error.issues);
    if (cleaned !== undefined) parsed = schema.safeParse(cleaned);
  }
  if (parsed.success) return parsed.data;
  throw refuse(parsed.error.issues.map(({ path, message }) => [nameField(part, path), message]));
}

/**
 * Many clients write null for what they leave out. Where a field takes no null, null means that it is absent: the value
 * without the fields that were refused and are null, or undefined when there are none.
 */
function withoutNulls(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const cleaned: unknown = structuredClone(value);
  let removed = false;
  for (const { path } of issues) {
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[String(name)], cleaned);
    const name = String(path.at(-1));
    if (path.length === 0 || !isFields(parent) || parent[name] !== null) continue;
    delete parent[name];
    removed = true;
  }
  return removed ? cleaned : undefined;
}

const nameField = (part: Part, path: readonly PropertyKey[]) => cut([part, ...path.map(String)].join('.'));

function refuse(problems: readonly (readonly [field: string, problem: string])[]): AppError {
  const details: Record<string, string> = {};
  for (const [field, problem] of problems.slice(0, MAX_PROBLEMS))
    details[field] = cut(field in details ? `${details[field]}; ${problem}` : problem);
  const [[field, problem] = ['', '']] = Object.entries(details);
  return new AppError('VALIDATION_FAILED', `the request does not fit: ${field}: ${problem}`, { details });
}

/** Short, and without halves of surrogate pairs: the answer is UTF-8. */
const cut = (text: string) =>
  (text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text).toWellFormed().replaceAll('\0', '\ufffd');
