import { decodeXmlText } from './xml-entities.ts';
import { createNamespaces, type Namespaces } from './xml-namespaces.ts';

export interface XmlEvents {
  /** `name` is lower case; its prefix is the usual one for its namespace, and absent in the namespace of the root. */
  onOpen(name: string, attributes: Record<string, string>): void;
  onText(text: string): void;
  onClose(name: string): void;
}

interface ScannerOptions {
  /** Elements that never hold one of their own kind: a second one closes the first. */
  flat?: ReadonlySet<string>;
  maxDepth?: number;
}

const MAX_TAG = 64 * 1024;
const MAX_ATTRIBUTES = 64;
const NAME_START = /[A-Za-z_:\u0080-\uffff]/;
const ATTRIBUTE = /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/**
 * Reads XML as it is found, not as it should be: anything is taken, nothing throws, and the work grows only with the
 * length of the text. Declarations in a DOCTYPE are skipped, so no entity is ever expanded or fetched. End tags that
 * match nothing are ignored; those that match an outer element close the inner ones first.
 */
export class XmlScanner {
  readonly #events: XmlEvents;
  readonly #flat: ReadonlySet<string>;
  readonly #maxDepth: number;
  readonly #namespaces: Namespaces = createNamespaces();
  /** Open elements, outermost first, as written and as reported. */
  readonly #open: { raw: string; name: string }[] = [];
  /** Elements below maxDepth: counted, so that their end tags match, but not reported. */
  #hidden = 0;
  #rest = '';
  #inside: 'text' | 'comment' | 'cdata' | 'instruction' | 'doctype' = 'text';
  #stopped = false;

  constructor(events: XmlEvents, options: ScannerOptions = {}) {
    this.#events = events;
    this.#flat = options.flat ?? new Set();
    this.#maxDepth = options.maxDepth ?? 128;
  }

  /** The name of the innermost open element, or of the one that many levels around it. */
  path(fromInnermost = 0): string | undefined {
    return this.#open[this.#open.length - 1 - fromInnermost]?.name;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  stop(): void {
    this.#stopped = true;
  }

  write(chunk: string): void {
    if (!this.#stopped) this.#scan(this.#rest + chunk, false);
  }

  end(): void {
    if (!this.#stopped) this.#scan(this.#rest, true);
    while (!this.#stopped && this.#open.length > 0) this.#pop();
    this.#stopped = true;
  }

  #scan(text: string, last: boolean): void {
    let at = 0;
    while (at < text.length && !this.#stopped) {
      const next = this.#inside === 'text' ? this.#scanText(text, at, last) : this.#scanSection(text, at, last);
      if (next === undefined) break;
      at = next;
    }
    this.#rest = last || this.#stopped ? '' : text.slice(at);
  }

  /** Handles one run of text or one tag; returns where to go on, or undefined when more input is needed. */
  #scanText(text: string, at: number, last: boolean): number | undefined {
    const tag = text.indexOf('<', at);
    if (tag !== at) {
      let end = tag === -1 ? text.length : tag;
      if (tag === -1 && !last) {
        // An entity may be cut by the end of the chunk.
        const entity = text.lastIndexOf('&');
        if (entity >= at && text.length - entity < 40 && !text.includes(';', entity)) end = entity;
      }
      if (end > at) this.#text(decodeXmlText(text.slice(at, end)));
      return end > at ? end : undefined;
    }
    if (text.length - at < 9 && !last) return undefined;
    const mark = text[at + 1] ?? '';
    if (mark === '!') {
      if (text.startsWith('<!--', at)) return this.#enter('comment', at + 4);
      if (text.startsWith('<![CDATA[', at)) return this.#enter('cdata', at + 9);
      return this.#enter('doctype', at + 2);
    }
    if (mark === '?') return this.#enter('instruction', at + 2);
    if (mark !== '/' && !NAME_START.test(mark)) {
      this.#text('<');
      return at + 1;
    }
    return this.#scanTag(text, at, last);
  }

  #enter(inside: 'comment' | 'cdata' | 'instruction' | 'doctype', at: number): number {
    this.#inside = inside;
    return at;
  }

  #scanTag(text: string, at: number, last: boolean): number | undefined {
    const end = findTagEnd(text, at + 1);
    if (end === -1) {
      if (text.length - at <= MAX_TAG && !last) return undefined;
      return Math.min(text.length, at + MAX_TAG);
    }
    if (text[end] === '<') {
      this.#text(decodeXmlText(text.slice(at, end)));
      return end;
    }
    const content = text.slice(at + 1, end);
    if (content.length <= MAX_TAG) {
      if (content[0] === '/') this.#close(content.slice(1).trim());
      else this.#openTag(content);
    }
    return end + 1;
  }

  /** Comments, instructions and DOCTYPEs are dropped as they come; CDATA is text that is not decoded. */
  #scanSection(text: string, at: number, last: boolean): number | undefined {
    if (this.#inside === 'doctype') {
      const end = findDoctypeEnd(text, at);
      if (end === -1 && !last && text.length - at <= MAX_TAG) return undefined;
      this.#inside = 'text';
      return end === -1 ? text.length : end + 1;
    }
    const closing = this.#inside === 'comment' ? '-->' : this.#inside === 'cdata' ? ']]>' : '?>';
    const found = text.indexOf(closing, at);
    const keep = last ? 0 : closing.length - 1;
    const end = found === -1 ? Math.max(at, text.length - keep) : found;
    if (this.#inside === 'cdata' && end > at) this.#text(text.slice(at, end));
    if (found !== -1) {
      this.#inside = 'text';
      return found + closing.length;
    }
    return end > at ? end : undefined;
  }

  #text(text: string): void {
    if (this.#hidden === 0) this.#events.onText(text);
  }

  #openTag(content: string): void {
    const empty = content.endsWith('/');
    const nameEnd = content.search(/[\s/]/);
    const raw = nameEnd === -1 ? content : content.slice(0, nameEnd);
    if (this.#open.length >= this.#maxDepth && this.#flat.has(raw.toLowerCase())) this.#closeOpen(raw.toLowerCase(), 0);
    if (this.#open.length >= this.#maxDepth) {
      if (!empty) this.#hidden++;
      return;
    }
    const attributes = nameEnd === -1 ? {} : readAttributes(content.slice(nameEnd));
    this.#namespaces.enter(attributes);
    const name = this.#namespaces.resolve(raw, this.#open.length === 0);
    if (this.#flat.has(name)) this.#closeOpen(name, 1);
    this.#open.push({ raw, name });
    this.#events.onOpen(name, attributes);
    if (empty && !this.#stopped) this.#pop();
  }

  /** `kept` scopes were entered for an element that is not on the stack yet. */
  #closeOpen(name: string, kept: number): void {
    const depth = this.#open.findIndex((element) => element.name === name);
    if (depth === -1) return;
    this.#hidden = 0;
    while (this.#open.length > depth && !this.#stopped) this.#pop(kept);
  }

  #close(raw: string): void {
    if (this.#hidden > 0) {
      this.#hidden--;
      return;
    }
    let depth = this.#open.length - 1;
    while (depth >= 0 && this.#open[depth]!.raw !== raw) depth--;
    if (depth < 0) {
      const lower = raw.toLowerCase();
      depth = this.#open.findLastIndex((element) => element.raw.toLowerCase() === lower);
    }
    if (depth < 0) return;
    while (this.#open.length > depth && !this.#stopped) this.#pop();
  }

  #pop(kept = 0): void {
    const element = this.#open.at(-1)!;
    this.#events.onClose(element.name);
    this.#open.pop();
    this.#namespaces.leave(kept);
  }
}

/** The position of the `>` that ends a tag, or of a `<` that shows it was none; -1 when the text ends first. */
function findTagEnd(text: string, from: number): number {
  let quote = 0;
  const limit = Math.min(text.length, from + MAX_TAG + 1);
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 62 || code === 60) return at;
    // A quote only opens a value behind an equals sign; elsewhere it is a stray character.
    else if ((code === 34 || code === 39) && followsEquals(text, at, from)) quote = code;
  }
  return -1;
}

function followsEquals(text: string, at: number, from: number): boolean {
  let before = at - 1;
  while (before > from && before > at - 8 && text.charCodeAt(before) <= 32) before--;
  return text[before] === '=';
}

/** The `>` that ends a DOCTYPE, past its internal subset and quoted strings; -1 when the text ends first. */
function findDoctypeEnd(text: string, from: number): number {
  let depth = 0;
  let quote = 0;
  const limit = Math.min(text.length, from + MAX_TAG + 1);
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 34 || code === 39) quote = code;
    else if (code === 91) depth++;
    else if (code === 93) depth = Math.max(0, depth - 1);
    else if (code === 62 && depth === 0) return at;
  }
  return -1;
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null);
  let count = 0;
  for (const [, name, double, single, bare] of text.matchAll(ATTRIBUTE)) {
    if (++count > MAX_ATTRIBUTES) break;
    attributes[name!.toLowerCase()] ??= decodeXmlText(double ?? single ?? bare ?? '');
  }
  return attributes;
}
