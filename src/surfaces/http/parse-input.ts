import type { z } from 'zod';
import { AppError } from '../../errors.ts';

/** Parses one part of a request; what does not fit is listed field by field. */
export function parseInput(schema: z.ZodType | undefined, value: unknown, part: 'path' | 'query' | 'body'): unknown {
  if (schema === undefined) return undefined;
  // A body of optional fields may be left out as a whole.
  const parsed = schema.safeParse(part === 'body' && value == null ? {} : value);
  if (parsed.success) return parsed.data;
  const details: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const field = [part, ...issue.path.map(String)].join('.');
    details[field] = field in details ? `${details[field]}; ${issue.message}` : issue.message;
  }
  const [[field, problem] = [part, '']] = Object.entries(details);
  throw new AppError('VALIDATION_FAILED', `the request does not fit: ${field}: ${problem}`, { details });
}
