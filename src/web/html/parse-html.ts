import { decodeHTML, decodeHTMLAttribute } from 'entities';
import type { parseDocument } from 'htmlparser2';
import { type ElementRule, ruleOf } from './html-elements.ts';
import { addLetter, NAME_HASH, readName, toLower } from './html-names.ts';

/**
 * A tolerant HTML parser that makes the tree of htmlparser2 (same names, same nesting, same texts; a test compares them)
 * in about a third of its time: it jumps from mark to mark with indexOf instead of looking at every character.
 *
 * Comments and declarations are left out, so neighbouring texts join into one node. Browsers stop nesting at 512; here
 * what lies deeper than MAX_DEPTH becomes a sibling and keeps its text, so later walks can recurse safely.
 */
const MAX_DEPTH = 256;

export type Document = ReturnType<typeof parseDocument>;
export type ChildNode = Document['children'][number];
export type Element = Extract<ChildNode, { attribs: Record<string, string> }>;
export type TextNode = Extract<ChildNode, { nodeType: 3 }>;

/** Shared by all elements without attributes; never written to. */
export const NO_ATTRIBUTES: Record<string, string> = Object.freeze({});

/** What a node without children has; the first child makes a list of its own. */
const NO_CHILDREN: Node[] = [];

class Text {
  readonly type = 'text';
  data: string;
  parent: ParentNode;
  prev: Node | null;
  next: Node | null = null;
  constructor(data: string, parent: ParentNode, prev: Node | null) {
    this.data = data;
    this.parent = parent;
    this.prev = prev;
  }
}

class ElementNode {
  readonly type: 'tag' | 'script' | 'style';
  readonly name: string;
  readonly attribs: Record<string, string>;
  children: Node[] = NO_CHILDREN;
  parent: ParentNode | null;
  prev: Node | null;
  next: Node | null = null;
  constructor(name: string, attribs: Record<string, string>, parent: ParentNode, prev: Node | null) {
    this.type = name === 'script' ? 'script' : name === 'style' ? 'style' : 'tag';
    this.name = name;
    this.attribs = attribs;
    this.parent = parent;
    this.prev = prev;
  }
}

class RootNode {
  readonly type = 'root';
  children: Node[] = NO_CHILDREN;
  readonly parent = null;
}

type Node = Text | ElementNode;
type ParentNode = RootNode | ElementNode;

/** The one parse of a page: any string gives a tree. */
export function parseHtml(html: string): Document {
  const root = new RootNode();
  new TreeBuilder(html, root).run();
  return root as unknown as Document;
}

const GT = 62;
const SLASH = 47;
const isWhitespace = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11);
const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

class TreeBuilder {
  readonly #html: string;
  readonly #open: ParentNode[];
  #at = 0;
  /** How many svg and math elements are open; inside them a tag may close itself. */
  #foreign = 0;
  /** Tags that were opened beyond the depth and never entered the stack. */
  #unclosed = 0;

  constructor(html: string, root: RootNode) {
    this.#html = html;
    this.#open = [root];
  }

  run(): void {
    const html = this.#html;
    const length = html.length;
    let textFrom = 0;
    for (let lt = html.indexOf('<'); lt >= 0 && lt < length - 1; lt = html.indexOf('<', this.#at)) {
      const code = html.charCodeAt(lt + 1);
      const opens = isLetter(code);
      if (!opens && code !== SLASH && code !== 33 && code !== 63) {
        this.#at = lt + 1;
        continue;
      }
      if (lt > textFrom) this.#addText(textFrom, lt);
      this.#at = lt;
      if (opens) this.#openTag();
      else if (code === SLASH) this.#closeTag();
      else this.#skipDeclaration();
      textFrom = this.#at;
    }
    if (textFrom < length) this.#addText(textFrom, length);
  }

  get #top(): ParentNode {
    return this.#open[this.#open.length - 1]!;
  }

  #addText(from: number, to: number): void {
    const raw = this.#html.slice(from, to);
    this.#append(raw.includes('&') ? decodeHTML(raw) : raw);
  }

  #append(data: string): void {
    const parent = this.#top;
    const last = parent.children[parent.children.length - 1] ?? null;
    if (last !== null && last.type === 'text') {
      last.data += data;
      return;
    }
    attach(new Text(data, parent, last), parent, last);
  }

  /** Comments, doctypes, processing instructions; CDATA is text inside foreign elements. */
  #skipDeclaration(): void {
    const html = this.#html;
    const start = this.#at;
    if (html.startsWith('<!--', start)) {
      // <!--> and <!---> are whole comments.
      const from = start + 4;
      if (html.charCodeAt(from) === GT) this.#at = from + 1;
      else if (html.startsWith('->', from)) this.#at = from + 2;
      else this.#at = afterComment(html, from);
    } else if (this.#foreign > 0 && html.startsWith('<![CDATA[', start)) {
      const end = html.indexOf(']]>', start + 9);
      this.#append(html.slice(start + 9, end < 0 ? html.length : end));
      this.#at = end < 0 ? html.length : end + 3;
    } else this.#at = after(html, start + 2, '>');
  }

  #openTag(): void {
    const html = this.#html;
    let name = this.#readTagName(this.#at + 1);
    if (name === 'image' && this.#foreign === 0) name = 'img';
    let attribs = NO_ATTRIBUTES;
    let selfClosing: boolean | undefined = false;
    if (html.charCodeAt(this.#at) === GT) this.#at++;
    else {
      attribs = {};
      selfClosing = this.#readAttributes(attribs);
    }
    if (selfClosing === undefined) return;
    if (name === 'form' && this.#isOpen('form')) return;
    const rule = ruleOf(name);
    const { closes } = rule;
    if (closes !== undefined) {
      for (let top = this.#top; top.type !== 'root' && closes.has(top.name); top = this.#top) this.#pop();
    }
    const parent = this.#top;
    const last = parent.children[parent.children.length - 1] ?? null;
    const element = new ElementNode(name, attribs, parent, last);
    attach(element, parent, last);
    if (rule.void) return;
    if (selfClosing && this.#foreign > 0) return;
    if (this.#open.length > MAX_DEPTH) {
      this.#unclosed++;
      return;
    }
    this.#open.push(element);
    if (rule.foreign) this.#foreign++;
    if (this.#foreign === 0 && rule.rawText !== undefined) this.#readRawText(name, rule.rawText);
  }

  /** The name that starts there, and the place after it. */
  #readTagName(from: number): string {
    const html = this.#html;
    let at = from;
    let hash = NAME_HASH;
    for (
      let code = html.charCodeAt(at);
      at < html.length && code !== GT && code !== SLASH && !isWhitespace(code);
      code = html.charCodeAt(at)
    ) {
      hash = addLetter(hash, code);
      at++;
    }
    this.#at = at;
    return readName(html, from, at, hash);
  }

  /** What scripts, styles, titles and the like hold is text up to their own end tag. */
  #readRawText(name: string, kind: NonNullable<ElementRule['rawText']>): void {
    const end = findEndTag(this.#html, this.#at, name);
    if (end > this.#at) {
      const raw = this.#html.slice(this.#at, end);
      this.#append(kind === 'decoded' && raw.includes('&') ? decodeHTML(raw) : raw);
    }
    this.#at = end;
  }

  /** Reads up to and over the end of the tag; true when it closes itself, undefined when the page ends first. */
  #readAttributes(attribs: Record<string, string>): boolean | undefined {
    const html = this.#html;
    const length = html.length;
    let at = this.#at;
    for (;;) {
      let code = html.charCodeAt(at);
      while (isWhitespace(code)) code = html.charCodeAt(++at);
      if (at >= length) {
        this.#at = length;
        return undefined;
      }
      if (code === GT) {
        this.#at = at + 1;
        return false;
      }
      if (code === SLASH) {
        if (html.charCodeAt(at + 1) === GT) {
          this.#at = at + 2;
          return true;
        }
        at++;
        continue;
      }
      const from = at++;
      let hash = addLetter(NAME_HASH, code);
      code = html.charCodeAt(at);
      while (at < length && code !== 61 && code !== GT && code !== SLASH && !isWhitespace(code)) {
        hash = addLetter(hash, code);
        code = html.charCodeAt(++at);
      }
      const name = readName(html, from, at, hash);
      while (isWhitespace(code)) code = html.charCodeAt(++at);
      let value = '';
      if (code === 61) {
        code = html.charCodeAt(++at);
        while (isWhitespace(code)) code = html.charCodeAt(++at);
        const start = code === 34 || code === 39 ? at + 1 : at;
        if (start > at) {
          at = html.indexOf(code === 34 ? '"' : "'", start);
          if (at < 0) {
            this.#at = length;
            return undefined;
          }
          value = html.slice(start, at++);
        } else {
          while (at < length && code !== GT && !isWhitespace(code)) code = html.charCodeAt(++at);
          value = html.slice(start, at);
        }
        if (value.includes('&')) value = decodeHTMLAttribute(value);
      }
      // Names such as `constructor` are there without being the page's.
      if (attribs[name] === undefined || !Object.hasOwn(attribs, name)) attribs[name] = value;
    }
  }

  #closeTag(): void {
    const html = this.#html;
    let from = this.#at + 2;
    while (isWhitespace(html.charCodeAt(from))) from++;
    if (!isLetter(html.charCodeAt(from))) {
      this.#at = after(html, from, '>');
      return;
    }
    const name = this.#readTagName(from);
    if (html.charCodeAt(this.#at) === GT) this.#at++;
    else this.#at = after(html, this.#at, '>');
    if (ruleOf(name).void) {
      if (name === 'br') this.#insertEmpty('br');
      return;
    }
    for (let index = this.#open.length - 1; index > 0; index--) {
      if ((this.#open[index] as ElementNode).name !== name) continue;
      while (this.#open.length > index) this.#pop();
      return;
    }
    if (name === 'p' && this.#unclosed === 0) this.#insertEmpty('p');
  }

  /** A lone </p> or </br> stands for an empty element, as browsers have it. */
  #insertEmpty(name: string): void {
    if (name === 'p') for (let top = this.#top; top.type !== 'root' && top.name === 'p'; top = this.#top) this.#pop();
    const parent = this.#top;
    const last = parent.children[parent.children.length - 1] ?? null;
    attach(new ElementNode(name, NO_ATTRIBUTES, parent, last), parent, last);
  }

  #pop(): void {
    const element = this.#open.pop() as ElementNode;
    if (this.#foreign > 0 && ruleOf(element.name).foreign) this.#foreign--;
  }

  #isOpen(name: string): boolean {
    return this.#open.some((each) => each.type !== 'root' && each.name === name);
  }
}

/** Most nodes have one child: a growing array would reserve space for many. */
function attach(node: Node, parent: ParentNode, last: Node | null): void {
  if (last === null) {
    parent.children = [node];
    return;
  }
  last.next = node;
  parent.children.push(node);
}

/** Where the mark ends, or the end of the page. */
function after(html: string, from: number, mark: string): number {
  const end = html.indexOf(mark, from);
  return end < 0 ? html.length : end + mark.length;
}

/** A comment also ends with --!>, which hardly ever is there: it is looked for only up to the usual end. */
function afterComment(html: string, from: number): number {
  const end = after(html, from, '-->');
  const early = html.slice(from, end).indexOf('--!>');
  return early < 0 ? end : from + early + 4;
}

function findEndTag(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    const code = html.charCodeAt(at + 2 + name.length);
    const ends = code === GT || code === SLASH || isWhitespace(code);
    if (ends && toLower(html.slice(at + 2, at + 2 + name.length)) === name) return at;
  }
  return html.length;
}
