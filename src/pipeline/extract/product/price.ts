import { stripEnd } from '../../../text/strip-end.ts';
import { DOLLAR_CODE, findIsoCode, isoOfMark, LIKELY_MARK, SURE_MARK, THREE_DECIMALS } from './currencies.ts';

export interface ParsedPrice {
  /** A plain decimal without needless zeros: "1298", "34.5". */
  amount: string | undefined;
  /** The currency as written: "€", "US$", "руб.". */
  currency: string | undefined;
}

/** Reads the first price in a text. `hint` is text from nearby that may name the currency. */
export function parsePrice(text: string, hint?: string): ParsedPrice {
  const clean = tidy(text);
  const currency = findCurrency(clean, hint === undefined ? '' : tidy(hint));
  return { amount: findAmount(clean, currency), currency };
}

/** The ISO code of a price text; `country` settles marks such as "$" or "kr" that several currencies share. */
export function priceCurrency(text: string, hint?: string, country?: string): string | undefined {
  const clean = tidy(text);
  const code = findIsoCode(clean);
  if (code !== undefined) return code;
  const mark = findCurrency(clean, hint === undefined ? '' : tidy(hint));
  return mark === undefined ? undefined : isoOfMark(mark, country);
}

const DIGIT = /(?![0-9])\p{Nd}/gu;
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Every number of a text is held against what stands around it: no price is in a text longer than this. */
const MAX_TEXT = 1_000;

/** One kind of space, no direction marks, ASCII digits and decimal marks. */
function tidy(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replace(INVISIBLE, '')
    .replace(/\s+/g, ' ')
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replace(DIGIT, asciiDigit);
}

/** Decimal digits come in runs of ten in every script, so the run's start gives the value. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

function findCurrency(text: string, hint: string): string | undefined {
  const dollars = text.includes('$') ? DOLLAR_CODE.exec(text)?.[0] : undefined;
  return (
    dollars ??
    SURE_MARK.exec(text)?.[0] ??
    SURE_MARK.exec(hint)?.[0] ??
    LIKELY_MARK.exec(text)?.[0] ??
    LIKELY_MARK.exec(hint)?.[0]
  );
}

// A number, its groups parted by points, commas, apostrophes or spaces. A space only continues it before digits.
const NUMBER = /\.?\d(?:[.,'’] ?\d|[.,'’]| \d|\d)*/g;
const EURO_CENTS = /(\d[\d .,]{0,30}?) ?€( ?)(\d{1,30})(?![\d.,])/;
const RANGE_WORD = /^ ?(?:-|–|—|to|bis|do|až|à|a|al|until|till)\s/i;

function findAmount(text: string, currency: string | undefined): string | undefined {
  const cents = text.indexOf('€') === text.lastIndexOf('€') ? EURO_CENTS.exec(text) : null;
  // "35€ 99" and "1250€600": the symbol is in the place of the comma. After a space only two digits can be cents.
  if (cents !== null && (cents[2] === '' || cents[3]!.length === 2))
    return toDecimal(`${cents[1]!.replace(/[ .,]/g, '')}.${cents[3]}`);

  if (/\bfree (?:shipping|delivery|returns?)\b/i.test(text)) return undefined;
  let first: { digits: string; end: number } | undefined;
  for (const match of text.matchAll(NUMBER)) {
    const end = match.index + match[0].length;
    if (/^ ?%/.test(text.slice(end, end + 2))) continue;
    const found = { digits: match[0], end };
    if (first === undefined) {
      first = found;
      if (currency === undefined || !isCount(text, found, currency)) break;
    } else if (touches(text, match.index, end, currency!)) return readNumber(match[0], currency);
  }
  if (first !== undefined) return readNumber(first.digits, currency);
  return /\bfree\b/i.test(text) ? '0' : undefined;
}

/** "3 issues for 14.85 EUR": a bare integer before a word, while the currency stands elsewhere. */
function isCount(text: string, number: { digits: string; end: number }, currency: string): boolean {
  if (!/^\d{1,3}$/.test(number.digits)) return false;
  const rest = text.slice(number.end);
  const start = number.end - number.digits.length;
  return (
    /^ (?:\p{L}{2}|\p{Script=Han})/u.test(rest) && !RANGE_WORD.test(rest) && !touches(text, start, number.end, currency)
  );
}

function touches(text: string, start: number, end: number, currency: string): boolean {
  return text.slice(0, start).trimEnd().endsWith(currency) || text.slice(end).trimStart().startsWith(currency);
}

function readNumber(written: string, currency: string | undefined): string | undefined {
  const digits = stripEnd(
    written.replace(/[\s'’]/g, (mark, at: number) => (isCentsGap(written, mark, at) ? '.' : '')),
    /[.,]/,
  );
  if (/^\.\d+$/.test(digits)) return toDecimal(`0${digits}`);
  const bare = digits.replace(/^\.+/, '');
  const at = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  if (at < 0) return toDecimal(bare);
  const whole = bare.slice(0, at).replace(/[.,]/g, '');
  const rest = bare.slice(at + 1);
  return toDecimal(isDecimal(bare, at, currency) ? `${whole}.${rest}` : whole + rest);
}

/** "12 99": a space before the last two digits stands for a decimal point, as no group has two digits. */
function isCentsGap(written: string, mark: string, at: number): boolean {
  return mark !== "'" && mark !== '’' && /^\d{1,4}$/.test(written.slice(0, at)) && /^\d\d$/.test(written.slice(at + 1));
}

/** Three digits after the last mark are a group of thousands, unless something says they are decimals. */
function isDecimal(number: string, at: number, currency: string | undefined): boolean {
  const mark = number[at]!;
  const whole = number.slice(0, at);
  const decimals = number.length - at - 1;
  if (decimals !== 3) return true;
  if (whole === '0') return true;
  if (whole.includes(mark)) return false;
  if (/[.,]/.test(whole)) return true;
  const iso = currency === undefined ? undefined : isoOfMark(currency);
  return mark === '.' && iso !== undefined && THREE_DECIMALS.has(iso);
}

function toDecimal(text: string): string | undefined {
  const match = /^(\d+)(?:\.(\d*))?$/.exec(text);
  if (match === null) return undefined;
  const whole = match[1]!.replace(/^0+(?=\d)/, '');
  const decimals = stripEnd(match[2] ?? '', /0/);
  return decimals === '' ? whole : `${whole}.${decimals}`;
}
