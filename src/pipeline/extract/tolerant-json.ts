/**
 * Reads JSON as pages really write it, and plain JavaScript object literals: comments, trailing and missing commas,
 * unquoted keys, any kind of quotes, raw line breaks in strings. An expression it cannot read counts as undefined.
 * Never throws; depth and number of values are bounded.
 */
export function parseTolerantJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return new TolerantReader(source).readValue(0);
  }
}

/** The value that starts at `from`, and where it ends: the object literal of `window.state = {…};`, for one. */
export function readValueAt(source: string, from: number): { value: unknown; end: number } {
  const reader = new TolerantReader(source, from);
  return { value: reader.readValue(0), end: reader.end };
}

const MAX_DEPTH = 60;
const MAX_VALUES = 50_000;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', '0': '\0' };
const CLOSERS = ',}]';

class TolerantReader {
  readonly #source: string;
  #at: number;
  #values = 0;

  constructor(source: string, from = 0) {
    this.#source = source;
    this.#at = from;
  }

  get end(): number {
    return this.#at;
  }

  readValue(depth: number): unknown {
    this.#skipWhitespace();
    const first = this.#source[this.#at];
    if (first === undefined || depth > MAX_DEPTH || ++this.#values > MAX_VALUES) {
      this.#at = this.#source.length;
      return undefined;
    }
    if (first === '{') return this.#readObject(depth);
    if (first === '[') return this.#readArray(depth);
    const value = isQuote(first) ? this.#readString(first) : this.#readBare();
    this.#skipExpression();
    return value;
  }

  #readObject(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#at++;
    for (;;) {
      this.#skipWhitespace();
      const next = this.#source[this.#at];
      if (next === undefined) return object;
      if (next === '}') {
        this.#at++;
        return object;
      }
      if (next === ',' || next === ']') {
        this.#at++;
        continue;
      }
      const key = isQuote(next) ? this.#readString(next) : this.#readKey();
      this.#skipWhitespace();
      if (this.#source[this.#at] !== ':') {
        this.#skipExpression();
        continue;
      }
      this.#at++;
      const value = this.readValue(depth + 1);
      if (key !== '__proto__') object[key] = value;
    }
  }

  #readArray(depth: number): unknown[] {
    const array: unknown[] = [];
    this.#at++;
    for (;;) {
      this.#skipWhitespace();
      const next = this.#source[this.#at];
      if (next === undefined) return array;
      if (next === ']') {
        this.#at++;
        return array;
      }
      if (next === ',' || next === '}') this.#at++;
      else array.push(this.readValue(depth + 1));
    }
  }

  #readString(quote: string): string {
    let text = '';
    let from = ++this.#at;
    for (; this.#at < this.#source.length; this.#at++) {
      const char = this.#source[this.#at]!;
      if (char === quote) break;
      if (char !== '\\') continue;
      text += this.#source.slice(from, this.#at);
      const escaped = this.#source[++this.#at] ?? '';
      const hex = escaped === 'u' ? 4 : escaped === 'x' ? 2 : 0;
      const code = hex === 0 ? Number.NaN : Number.parseInt(this.#source.substr(this.#at + 1, hex), 16);
      if (Number.isNaN(code)) text += ESCAPES[escaped] ?? escaped;
      else {
        text += String.fromCharCode(code);
        this.#at += hex;
      }
      from = this.#at + 1;
    }
    text += this.#source.slice(from, this.#at);
    this.#at++;
    return text;
  }

  #readKey(): string {
    const from = this.#at;
    while (this.#at < this.#source.length && /[\w$.-]/.test(this.#source[this.#at]!)) this.#at++;
    if (this.#at === from) this.#at++;
    return this.#source.slice(from, this.#at);
  }

  /** A number, a word such as true, or the start of some expression. */
  #readBare(): unknown {
    const from = this.#at;
    while (this.#at < this.#source.length && /[\w$.+-]/.test(this.#source[this.#at]!)) this.#at++;
    const word = this.#source.slice(from, this.#at);
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(word) ? Number(word) : undefined;
  }

  /** Whatever else stands before the next comma or bracket belongs to an expression: calls, sums, methods. */
  #skipExpression(): void {
    let open = 0;
    let plain = true;
    for (; this.#at < this.#source.length; this.#at++) {
      const char = this.#source[this.#at]!;
      if (open === 0 && CLOSERS.includes(char)) return;
      // A text right after a value is the next key, and a comma is missing; after an operator it is more of the value.
      if (plain && isQuote(char)) return;
      if (char > ' ') plain = false;
      if (isQuote(char)) {
        this.#readString(char);
        this.#at--;
      } else if ('([{'.includes(char)) open++;
      else if (')]}'.includes(char) && --open < 0) return;
      else if (open === 0 && char === ';') return;
    }
  }

  #skipWhitespace(): void {
    for (;;) {
      while (this.#at < this.#source.length && this.#source.charCodeAt(this.#at) <= 32) this.#at++;
      const two = this.#source.substr(this.#at, 2);
      const end = two === '//' ? '\n' : two === '/*' ? '*/' : undefined;
      if (end === undefined) {
        if (!/[\u00a0\ufeff\u2028]/.test(this.#source[this.#at] ?? '')) return;
        this.#at++;
        continue;
      }
      const found = this.#source.indexOf(end, this.#at + 2);
      this.#at = found < 0 ? this.#source.length : found + end.length;
    }
  }
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'" || char === '`';
}
