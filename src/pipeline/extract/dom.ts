import type { ChildNode, Document, Element, TextNode } from '../../web/html/parse-html.ts';

export type { Document, Element } from '../../web/html/parse-html.ts';
export { NO_ATTRIBUTES, parseHtml } from '../../web/html/parse-html.ts';

export function isElement(node: ChildNode): node is Element {
  return 'attribs' in node;
}

export function isText(node: ChildNode): node is TextNode {
  return node.type === 'text';
}

/** Every element of a subtree in document order, the root's own children first. */
export function* walkElements(root: Document | Element): Generator<Element> {
  const stack: ChildNode[] = root.children.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!isElement(node)) continue;
    yield node;
    for (let index = node.children.length - 1; index >= 0; index--) stack.push(node.children[index]!);
  }
}

/** All text below a node, whitespace collapsed. */
export function textOf(node: ChildNode | Document): string {
  return collapse(rawTextOf(node));
}

export function rawTextOf(node: ChildNode | Document): string {
  let text = '';
  const stack: (ChildNode | Document)[] = [node];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if ('data' in next) {
      if (next.type === 'text') text += next.data;
    } else if (!('name' in next) || (next.name !== 'script' && next.name !== 'style')) {
      for (let index = next.children.length - 1; index >= 0; index--) stack.push(next.children[index]!);
    }
  }
  return text;
}

export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
