import { canonicalizePath, compilePattern, matchesPattern, type PathPattern } from './robots-pattern.ts';

/** What a robots.txt says to one crawler. */
export interface RobotsRules {
  /** True unless the longest matching rule forbids the address; /robots.txt itself is always allowed. */
  allows(url: string): boolean;
  crawlDelayMs: number | undefined;
  /** As written: absolute or not. They are for every crawler. */
  sitemaps: string[];
}

/** RFC 9309 requires 500 KiB at least; what lies beyond is not read, and a line cut in two is dropped. */
export const MAX_ROBOTS_BYTES = 512 * 1024;
/** Longer lines are cut, as in the parser most sites are tested against. */
const MAX_LINE = 2_083 * 8 - 1;
const MAX_SITEMAPS = 10_000;

interface Rule extends PathPattern {
  allow: boolean;
}
interface Group {
  rules: Rule[];
  delay: number | undefined;
}

/** Parses a robots.txt for the crawler that calls itself `productToken`; a whole user agent string will do. */
export function parseRobots(body: string | Uint8Array, productToken: string): RobotsRules {
  const token = productTokenOf(productToken);
  const own: Group = { rules: [], delay: undefined };
  const everyone: Group = { rules: [], delay: undefined };
  const sitemaps: string[] = [];
  let sawOwn = false;
  // Which groups the current rules belong to. Agent lines add up until the first rule, then start anew.
  let inOwn = false;
  let inEveryone = false;
  let ruleSeen = false;

  for (const line of readLines(body)) {
    const record = readRecord(line);
    if (record === undefined) continue;
    const { kind, value } = record;
    if (kind === 'sitemap') {
      if (value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(toText(value));
      continue;
    }
    if (kind === 'agent') {
      if (ruleSeen) inOwn = inEveryone = ruleSeen = false;
      const names = readAgents(value);
      if (names[0] === '*') inEveryone = true;
      else if (token !== '' && names.includes(token)) inOwn = sawOwn = true;
      continue;
    }
    ruleSeen = true;
    if (inOwn) addRule(own, kind, value);
    if (inEveryone) addRule(everyone, kind, value);
  }

  const group = sawOwn ? own : everyone;
  // The longest rule decides and allow wins a tie: in this order the first match is the answer.
  group.rules.sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow));
  return {
    sitemaps,
    crawlDelayMs: group.delay === undefined ? undefined : Math.round(group.delay * 1000),
    allows: (url) => isAllowed(group.rules, url),
  };
}

/** The name a crawler goes by: `crawl4r/0.1 (+https://…)` and `Mozilla/5.0 (compatible; crawl4r/0.1)` are crawl4r. */
export function productTokenOf(userAgent: string): string {
  const compatible = /^Mozilla\/.*\(compatible; *([^/;)\s]+)/i.exec(userAgent);
  return (compatible?.[1] ?? userAgent.split('/')[0]!).trim().toLowerCase();
}

function isAllowed(rules: Rule[], url: string): boolean {
  const parsed = URL.parse(url, 'http://host/');
  if (parsed === null) return false;
  if (parsed.pathname === '/robots.txt') return true;
  const path = canonicalizePath(parsed.pathname + parsed.search);
  return rules.find((rule) => matchesPattern(path, rule))?.allow ?? true;
}

function addRule(group: Group, kind: 'allow' | 'disallow' | 'delay', value: string): void {
  if (kind !== 'delay') {
    if (value !== '') group.rules.push({ ...compilePattern(value), allow: kind === 'allow' });
  } else if (/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(value)) {
    group.delay = Math.max(group.delay ?? 0, Number(value));
  }
}

const toText = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();

/** One name is the rule; several, separated by spaces or commas, are accepted too. Versions are ignored. */
function readAgents(value: string): string[] {
  const names = toText(value)
    .toLowerCase()
    .split(/[\s,]+/);
  return names.map((name) => name.split('/')[0]!);
}

/** Lines as bytes (one character each), so that a path in any charset is compared as the bytes it was written in. */
function* readLines(body: string | Uint8Array): Generator<string> {
  let bytes = typeof body === 'string' ? toBytes(body) : fromUtf16(body);
  const cut = bytes.length > MAX_ROBOTS_BYTES;
  if (cut) bytes = bytes.subarray(0, MAX_ROBOTS_BYTES);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', hasMark ? 3 : 0);
  const lines = text.split(/\r\n?|\n/);
  if (cut) lines.pop();
  for (const line of lines) yield line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line;
}

/** A lone surrogate has no bytes; NUL stands for it, which no address holds. */
const toBytes = (text: string): Uint8Array => Buffer.from(text.isWellFormed() ? text : text.replace(/\p{Cs}/gu, '\0'));

/** Files that some editors save in UTF-16 say so with their first two bytes. */
export function fromUtf16(bytes: Uint8Array): Uint8Array {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  if (mark !== 0xfffe && mark !== 0xfeff) return bytes;
  const text = new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(
    bytes.subarray(0, 2 * MAX_ROBOTS_BYTES),
  );
  return Buffer.from(text);
}

type RecordKind = 'agent' | 'allow' | 'disallow' | 'delay' | 'sitemap';

/** Keys by how they begin, spelling mistakes seen in the wild included: they are obeyed as intended. */
const KEYS: [RegExp, RecordKind][] = [
  [/^(?:users?|useg|ser)[-_ ]?agent/i, 'agent'],
  [/^(?:d[ie]ss?all?ow|diasl?low|disallaw)/i, 'disallow'],
  [/^allow/i, 'allow'],
  [/^crawl-?delay/i, 'delay'],
  [/^site-?map/i, 'sitemap'],
];

/** What ends a line when the file is served as a web page. */
const LINE_TAG = /<\/?(?:br|p|pre|div)\s?\/?>/gi;

/** `key: value # comment`; the colon may be missing when there are just two words. */
function readRecord(line: string): { kind: RecordKind; value: string } | undefined {
  const comment = line.indexOf('#');
  const text = (comment < 0 ? line : line.slice(0, comment)).replace(LINE_TAG, '').trim();
  if (text === '') return undefined;
  const colon = text.indexOf(':');
  let [key, value] = [text.slice(0, colon).trimEnd(), text.slice(colon + 1).trimStart()];
  if (colon < 0) {
    const words = text.split(/[ \t]+/);
    if (words.length !== 2) return undefined;
    [key, value] = words as [string, string];
  }
  const kind = KEYS.find(([pattern]) => pattern.test(key))?.[1];
  return kind === undefined ? undefined : { kind, value };
}
