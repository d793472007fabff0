/** What the generator reads of an OpenAPI 3.1 document. Everything may be absent: the document is not ours to trust. */
export type Schema = boolean | { readonly [keyword: string]: unknown };

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

type Content = Record<string, { schema?: Schema }>;

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: unknown[];
  requestBody?: unknown;
  responses?: Record<string, unknown>;
}

export interface ApiDocument {
  info: { version: string };
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Record<string, unknown>>;
  components?: { schemas?: Record<string, Schema> };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The part of the document a local reference names; undefined when there is none. */
export function lookUp(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  return reference
    .slice(1)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (isRecord(at) || Array.isArray(at) ? (at as never)[part] : undefined), document);
}

/** The value itself, or what its `$ref` names; a chain of references ends after a few steps. */
export function follow<Value>(document: unknown, value: unknown): Value | undefined {
  let found = value;
  for (let step = 0; step < 10 && isRecord(found) && typeof found.$ref === 'string'; step++)
    found = lookUp(document, found.$ref);
  return found as Value | undefined;
}

/** `content` of a request body or an answer. */
export function contentOf(document: unknown, holder: unknown): Content {
  const found = follow<{ content?: Content }>(document, holder);
  return isRecord(found?.content) ? found.content : {};
}

/** A comment above a line, or nothing. The text cannot end it. */
export function comment(text: string | undefined, indent: string): string {
  const words = (text ?? '').replaceAll('*/', '*\\/').replace(/\s+/g, ' ').trim();
  return words === '' ? '' : `${indent}/** ${words} */\n`;
}

/** Words of an identifier: `restart-parsing` and `restartParsing` are the same two. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

export const pascal = (name: string): string => {
  const joined = wordsOf(name).map(capital).join('');
  return /^[A-Za-z]/.test(joined) ? joined : `Model${joined}`;
};
export const camel = (name: string): string => {
  const made = pascal(name);
  return made.charAt(0).toLowerCase() + made.slice(1);
};
