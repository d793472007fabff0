import { type Element, isElement, textOf } from '../dom.ts';
import { listOf, type SchemaNode } from './schema-values.ts';

/** Microdata and RDFa say the same with other attributes. */
export interface Markup {
  type: string;
  property: string;
}

export const MICRODATA: Markup = { type: 'itemtype', property: 'itemprop' };
export const RDFA: Markup = { type: 'typeof', property: 'property' };

const MAX_DEPTH = 6;

/** An item of the page's markup as the node JSON-LD would write for it. */
export function readItem(element: Element, markup: Markup, depth = 0): SchemaNode {
  const node: SchemaNode = { '@type': element.attribs[markup.type]?.split(/\s+/) ?? [] };
  if (depth < MAX_DEPTH) collect(element, markup, node, depth);
  return node;
}

function collect(parent: Element, markup: Markup, node: SchemaNode, depth: number): void {
  for (const child of parent.children) {
    if (!isElement(child)) continue;
    const property = child.attribs[markup.property];
    const scoped = child.attribs[markup.type] !== undefined || child.attribs.itemscope !== undefined;
    if (property !== undefined && property !== '') {
      const value = scoped ? readItem(child, markup, depth + 1) : propertyValue(child);
      for (const name of property.split(/\s+/)) put(node, name.replace(/^.*[:#/]/, ''), value);
    } else if (scoped && /offer/i.test(child.attribs[markup.type] ?? '')) {
      // An offer inside a product belongs to it even where the link between them was forgotten.
      put(node, 'offers', readItem(child, markup, depth + 1));
    }
    if (!scoped) collect(child, markup, node, depth);
  }
}

function put(node: SchemaNode, name: string, value: unknown): void {
  if (name === '' || name === '@type' || name === '__proto__' || value === undefined || value === '') return;
  node[name] = node[name] === undefined ? value : [...listOf(node[name]), value];
}

function propertyValue(element: Element): string | undefined {
  const { name, attribs } = element;
  if (attribs.content !== undefined) return attribs.content;
  if (name === 'meta') return undefined;
  if (name === 'a' || name === 'link' || name === 'area') {
    // A brand or category is often a link: its text counts, not its target.
    const text = textOf(element);
    return text !== '' && !/\burl\b|image|availability/i.test(attribs.itemprop ?? attribs.property ?? '')
      ? text
      : attribs.href;
  }
  if (name === 'img' || name === 'source') return attribs['data-src'] ?? attribs.src ?? attribs.alt;
  if (name === 'object') return attribs.data;
  if (name === 'time') return attribs.datetime ?? textOf(element);
  if (name === 'data' || name === 'meter' || name === 'input') return attribs.value ?? textOf(element);
  return textOf(element);
}
