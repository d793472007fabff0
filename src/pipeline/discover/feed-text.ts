import { decodeHTML } from 'entities/decode';
import { escapeHtml } from './xml-entities.ts';

const VOID = new Set(['area', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
const MAX_MARKUP = 4 * 1024 * 1024;
const MAX_PLAIN = 16 * 1024;

type TextType = 'text' | 'html' | 'xhtml' | 'base64' | 'other';

/**
 * Collects one text of a feed, which comes as escaped markup, as elements, as plain text, or as a mix of them, and
 * gives it as HTML or as plain text.
 */
export class FeedText {
  readonly #type: TextType;
  readonly #maxLength: number;
  #html = '';
  #depth = 0;

  constructor(type: TextType, isMarkup: boolean) {
    this.#type = type;
    this.#maxLength = isMarkup ? MAX_MARKUP : MAX_PLAIN;
  }

  open(name: string, attributes: Record<string, string>): void {
    const tag = localName(name);
    this.#depth++;
    let text = `<${tag}`;
    for (const [key, value] of Object.entries(attributes))
      if (!key.includes(':') && key !== 'xmlns') text += ` ${key}="${escapeHtml(value)}"`;
    this.#add(`${text}>`);
  }

  text(text: string): void {
    this.#add(this.#depth > 0 || this.#type === 'xhtml' || this.#type === 'text' ? escapeHtml(text) : text);
  }

  close(name: string): void {
    const tag = localName(name);
    this.#depth--;
    if (!VOID.has(tag)) this.#add(`</${tag}>`);
  }

  toHtml(): string {
    if (this.#type === 'other') return '';
    if (this.#type === 'base64') return Buffer.from(this.#html, 'base64').toString('utf8').trim();
    return this.#html.trim();
  }

  toPlain(): string {
    const html = this.toHtml();
    const bare = /<[a-z/!]/i.test(html) ? html.replace(/<[/!]?[a-z-][^<>]*>/gi, '') : html;
    return decodeHTML(bare).replace(/\s+/g, ' ').trim();
  }

  #add(text: string): void {
    if (this.#html.length < this.#maxLength) this.#html += text.slice(0, this.#maxLength);
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Atom says what a text is by `type` (and, in 0.3, `mode`); RSS texts are escaped markup. */
export function textType(isAtom: boolean, isMarkup: boolean, attributes: Record<string, string>): TextType {
  const type = attributes.type?.trim().toLowerCase() ?? '';
  const mode = attributes.mode?.trim().toLowerCase();
  if (!isAtom) return 'html';
  if (mode === 'base64') return 'base64';
  if (mode === 'escaped') return type === 'text/plain' ? 'text' : 'html';
  if (type === 'html') return 'html';
  if (type === 'xhtml' || type === 'application/xhtml+xml') return 'xhtml';
  if (type === 'text/html') return mode === 'xml' ? 'xhtml' : 'html';
  if (type === '' || type.startsWith('text')) return 'text';
  return isMarkup && (type.endsWith('+xml') || type.endsWith('/xml')) ? 'xhtml' : 'other';
}
