import { decodeHTML } from 'entities';
import { collapse } from '../dom.ts';

export type SchemaNode = Record<string, unknown>;

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

/** The last part of each type, lower case: "http://schema.org/Product" → "product". */
export function typesOf(node: SchemaNode): string[] {
  return listOf(node['@type']).map((type) =>
    String(type)
      .replace(/^.*[/#:]/, '')
      .toLowerCase(),
  );
}

/** A plain text from a value that may be a text, a number, a list, or a node with a name or value. */
export function textValue(value: unknown): string | undefined {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) {
    for (const one of value) {
      const text = textValue(one);
      if (text !== undefined) return text;
    }
    return undefined;
  }
  return isNode(value) ? textValue(value.name ?? value['@value'] ?? value.value) : undefined;
}

export function cleanText(value: string): string | undefined {
  const plain = value.includes('<') ? value.replace(/<[^<>]*>/g, ' ') : value;
  const text = collapse(plain.includes('&') ? decodeHTML(plain) : plain);
  // Words for "none", and placeholders of templates.
  return text === '' || /^(?:null|undefined|n\/?a|none|-|nan|\$\{?[a-z_.]+\}?|\{\{.*\}\}|%[a-z_]+%)$/i.test(text)
    ? undefined
    : text;
}

/** A name without what some pages write around it: "Brand: Acme", "Acme | The shop". */
export function nameValue(value: unknown): string | undefined {
  const text = textValue(value)?.split(/\s\|\s/)[0];
  return text === undefined ? undefined : cleanText(text.slice(text.lastIndexOf(': ') + 1).replace(/^:/, ''));
}

export function numberValue(value: unknown): number | undefined {
  const text = textValue(value)?.replace(',', '.');
  const number = text === undefined ? Number.NaN : Number.parseFloat(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Addresses of images: texts, nodes with a url, and lists of both. */
export function imageValues(value: unknown): string[] {
  return listOf(value).flatMap((one) => {
    if (typeof one === 'string') return [one.trim()];
    if (!isNode(one)) return [];
    return imageValues(one.contentUrl ?? one.url ?? one['@id']);
  });
}
