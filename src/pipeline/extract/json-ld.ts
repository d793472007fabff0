/** JSON-LD as pages really write it: comments, control characters and trailing commas are forgiven. */

export type JsonLdNode = Record<string, unknown>;

const MAX_NODES = 2_000;

/** Every object of the page's JSON-LD that has a type, `@graph` and nested ones included, outer ones first. */
export function readJsonLd(sources: readonly string[]): JsonLdNode[] {
  const found: JsonLdNode[] = [];
  for (const source of sources) collect(parseForgiving(source), found);
  return found;
}

function collect(start: unknown, found: JsonLdNode[]): void {
  const queue: unknown[] = [start];
  for (let index = 0; index < queue.length && index < MAX_NODES; index++) {
    const value = queue[index];
    if (Array.isArray(value)) queue.push(...value.slice(0, 200));
    else if (isNode(value)) {
      if (value['@type'] !== undefined) found.push(value);
      for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) queue.push(child);
    }
  }
}

export function isNode(value: unknown): value is JsonLdNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function hasType(node: JsonLdNode, pattern: RegExp): boolean {
  const type = node['@type'];
  return Array.isArray(type) ? type.some((entry) => pattern.test(String(entry))) : pattern.test(String(type));
}

function parseForgiving(source: string): unknown {
  const trimmed = source
    .trim()
    .replace(/^(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[|\/\/\s*<!\[CDATA\[)/, '')
    .replace(/(?:-->|\/\*\s*\]\]>\s*\*\/|\/\/\s*\]\]>|\]\]>)\s*;?$/, '');
  for (const text of [
    trimmed,
    trimmed
      .replace(/\p{Cc}+/gu, ' ')
      .replace(/,\s*([}\]])/g, '$1')
      .replace(/;\s*$/, ''),
  ]) {
    try {
      return JSON.parse(text);
    } catch {
      // The next, more forgiving reading is tried.
    }
  }
  return undefined;
}
