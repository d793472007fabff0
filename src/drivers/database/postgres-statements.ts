import { createHash } from 'node:crypto';

/**
 * Statements that come again and again are given a name, so that the server parses and plans them once per connection.
 * Texts are constants of our functions; texts built at run time stay unnamed, because each is new.
 */
const USES_BEFORE_NAMED = 3;
const MAX_TEXTS = 500;
const uses = new Map<string, number>();
const names = new Map<string, string>();

interface Statement {
  text: string;
  values?: unknown[];
  name?: string;
}

export const plainStatement = (text: string, values?: readonly unknown[]): Statement =>
  values === undefined || values.length === 0 ? { text } : { text, values: values as unknown[] };

export function nameStatement(text: string, values?: readonly unknown[]): Statement {
  const statement = plainStatement(text, values);
  if (statement.values === undefined) return statement;
  const name = names.get(text) ?? countUse(text);
  if (name !== undefined) statement.name = name;
  return statement;
}

function countUse(text: string): string | undefined {
  const count = (uses.get(text) ?? 0) + 1;
  if (count < USES_BEFORE_NAMED) {
    if (uses.size < MAX_TEXTS) uses.set(text, count);
    else uses.clear();
    return undefined;
  }
  if (names.size >= MAX_TEXTS) return undefined;
  const name = `c4r_${createHash('sha1').update(text).digest('base64url')}`;
  names.set(text, name);
  return name;
}
