import { DomHandler, Parser, type parseDocument } from 'htmlparser2';

export type Document = ReturnType<typeof parseDocument>;
export type ChildNode = Document['children'][number];
export type Element = Extract<ChildNode, { attribs: Record<string, string> }>;
export type TextNode = Extract<ChildNode, { nodeType: 3 }>;

/**
 * Browsers stop nesting at 512. A tree that is never deeper lets every later walk recurse without fear; what lies
 * deeper becomes a sibling and keeps its text.
 */
const MAX_DEPTH = 256;

/** The parser keeps its own stack of names, and pushing to its front costs as much as the stack is deep. */
interface ParserInternals {
  stack: string[];
}

class BoundedHandler extends DomHandler {
  #internals: ParserInternals | undefined;

  override onparserinit(parser: Parser): void {
    super.onparserinit(parser);
    this.#internals = parser as unknown as ParserInternals;
  }

  override onopentag(name: string, attribs: Record<string, string>): void {
    super.onopentag(name, attribs);
    if (this.tagStack.length <= MAX_DEPTH) return;
    if (this.#internals?.stack[0] !== name) return;
    this.#internals.stack.shift();
    this.tagStack.pop();
  }

  /** Comments hold no content; without them neighbouring texts join into one node. */
  override oncomment(): void {}
  override oncommentend(): void {}
}

/** The one parse of a page. Tolerant: any string gives a tree. */
export function parseHtml(html: string): Document {
  const handler = new BoundedHandler();
  new Parser(handler).end(html);
  return handler.root as Document;
}

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

/** All text below a node, blanks collapsed. */
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
