/** How deep a value may nest. Nothing the API takes goes deeper, and code that calls itself for each level stays safe. */
export const MAX_DEPTH = 32;

export interface Unstorable {
  /** The names that lead to the part that is wrong; empty for the value itself. */
  path: string[];
  problem: string;
}

/**
 * The first part of a value that cannot be stored: PostgreSQL takes no NUL characters, and half a surrogate pair has no
 * UTF-8. Names of fields count like values. Undefined when all of it can be stored.
 */
export function findUnstorable(value: unknown, depth = 0): Unstorable | undefined {
  if (typeof value === 'string') return checkText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return { path: [], problem: `nested deeper than ${MAX_DEPTH} levels` };
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const inner = findUnstorable(value[at], depth + 1);
      if (inner !== undefined) return { ...inner, path: [String(at), ...inner.path] };
    }
    return undefined;
  }
  for (const [name, entry] of Object.entries(value)) {
    const inner = checkText(name) ?? findUnstorable(entry, depth + 1);
    if (inner !== undefined) return { ...inner, path: [name, ...inner.path] };
  }
  return undefined;
}

function checkText(text: string): Unstorable | undefined {
  if (text.includes('\0')) return { path: [], problem: 'holds a NUL character' };
  if (!text.isWellFormed()) return { path: [], problem: 'holds half of a surrogate pair' };
  return undefined;
}
