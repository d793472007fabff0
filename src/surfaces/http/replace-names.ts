import type { z } from 'zod';
import { otherNamesOf } from '../../operations/other-names.ts';

type Fields = Record<string, unknown>;
export type Problem = readonly [path: readonly PropertyKey[], message: string];

/** A body in the names of its schema, and what is wrong with the others in it. */
export function replaceNames(schema: z.ZodType, body: unknown): { body: unknown; problems: Problem[] } {
  const names = Object.entries(otherNamesOf(schema));
  const problems: Problem[] = [];
  if (!isFields(body) || names.length === 0) return { body, problems };
  const own: Fields = { ...body };
  const meant: Fields = {};
  for (const [name, means] of names) {
    if (!Object.hasOwn(own, name)) continue;
    const value = own[name];
    delete own[name];
    if (typeof means === 'string') {
      if (!Object.hasOwn(own, means)) own[means] = value;
      else if (value !== null) problems.push([[name], `another name for ${means}: give one of them`]);
    } else if (value !== null) {
      const parsed = means.takes.safeParse(value);
      if (parsed.success) Object.assign(meant, means.fields(parsed.data as never));
      else problems.push(...parsed.error.issues.map(({ path, message }): Problem => [[name, ...path], message]));
    }
  }
  return { body: { ...meant, ...own }, problems };
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
