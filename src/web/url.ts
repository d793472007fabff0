import { hash } from 'node:crypto';
import type { ErrorCode } from '../errors.ts';
import { domainOf } from './domain.ts';
import { normalizeEscapes } from './url-escapes.ts';
import { normalizeQuery } from './url-query.ts';

export type ParsedUrl =
  | {
      ok: true;
      /** The normalised address: what is stored, hashed and fetched. */
      url: string;
      origin: string;
      /** Without the port; IPv6 in brackets. */
      host: string;
      /** The unit of politeness: see domainOf. */
      domain: string;
    }
  | { ok: false; code: ErrorCode; reason: string };

/** What is known about an origin: cheap to keep, expensive to compute. */
interface Site {
  origin: string;
  host: string;
  domain: string;
}

export const MAX_URL_LENGTH = 2_048;
/** Longer input is refused unread: no tracking parameters make up for this much. */
const MAX_INPUT_LENGTH = 4 * MAX_URL_LENGTH;

/**
 * Two addresses of the same page become one, and a page's address never becomes another page's:
 * scheme and host in lower case, IDN as punycode, default port, credentials, fragment and the host's root dot dropped,
 * dot segments resolved, percent-encoding of unreserved characters undone and the rest in capitals, session ids and
 * tracking parameters removed, parameters sorted by name. The path keeps its case and its trailing slash: servers distinguish
 * them. Doing it twice changes nothing more.
 */
export function parseUrl(input: string, base?: string): ParsedUrl {
  return parsePlain(input, base) ?? parseFully(input, base);
}

/** SHA-256 of a normalised address: the key of pages, tasks and documents. */
export function hashUrl(url: string): Buffer {
  return hash('sha256', url, 'buffer');
}

// The fast path ----------------------------------------------------------------------------------------------------

// Addresses of this shape need no URL parser: nothing in them would be escaped, decoded or resolved.
const PATH = String.raw`\/[\w\-.~!$&*+,=:@/]*`;
const TAIL = String.raw`(\?[\w\-.~!$&()*+,;=:@/?%]*)?(?:#[\x21-\x7e]*)?$`;
const ABSOLUTE = new RegExp(`^(https?:\\/\\/[a-z0-9.-]+(?::[1-9]\\d*)?)(${PATH})?${TAIL}`);
const FROM_ROOT = new RegExp(`^(${PATH})${TAIL}`);
const FROM_FOLDER = new RegExp(String.raw`^([\w-][\w\-.~!$&*+,=@/]*)${TAIL}`);

function parsePlain(input: string, base: string | undefined): ParsedUrl | undefined {
  if (input.length > MAX_INPUT_LENGTH) return undefined;
  let site: Site | undefined;
  let path: string;
  let query: string | undefined;
  const absolute = ABSOLUTE.exec(input);
  if (absolute !== null) {
    site = recall(absolute[1]!);
    path = absolute[2] ?? '/';
    query = absolute[3];
  } else {
    const from = base === undefined ? undefined : recallBase(base);
    if (from === undefined || input.startsWith('//')) return undefined;
    const relative = FROM_ROOT.exec(input) ?? FROM_FOLDER.exec(input);
    if (relative === null) return undefined;
    site = from.site;
    path = relative[1]!.startsWith('/') ? relative[1]! : from.folder + relative[1]!;
    query = relative[2];
  }
  if (site === undefined || path.includes('/.')) return undefined;
  return finish(site, path, query === undefined ? '' : query.slice(1));
}

// Sites by their origin as written, kept only where that is already the normal form. Two generations stand in for a
// least-recently-used list: cheaper on every hit, and just as bounded.
const GENERATION = 10_000;
let young = new Map<string, Site>();
let old = new Map<string, Site>();

function recall(origin: string): Site | undefined {
  const site = young.get(origin);
  if (site !== undefined) return site;
  const older = old.get(origin);
  if (older !== undefined) remember(older);
  return older;
}

function remember(site: Site): void {
  if (young.size >= GENERATION) {
    old = young;
    young = new Map();
  }
  young.set(site.origin, site);
}

/** The links of a page share one base, so one is enough to remember. */
let lastBase: { base: string; from: { site: Site; folder: string } | undefined } | undefined;

function recallBase(base: string): { site: Site; folder: string } | undefined {
  if (lastBase?.base !== base) lastBase = { base, from: readBase(base) };
  return lastBase.from;
}

function readBase(base: string): { site: Site; folder: string } | undefined {
  const match = ABSOLUTE.exec(base);
  if (match === null || match[2]?.includes('/.')) return undefined;
  const path = match[2] ?? '/';
  const site = parseFully(base, undefined);
  if (!site.ok || site.origin !== match[1]) return undefined;
  return { site, folder: path.slice(0, path.lastIndexOf('/') + 1) };
}

// The full way -------------------------------------------------------------------------------------------------------

const invalid = (reason: string): ParsedUrl => ({ ok: false, code: 'URL_INVALID', reason });

function parseFully(input: string, base: string | undefined): ParsedUrl {
  if (input.length > MAX_INPUT_LENGTH) return invalid(`the address is longer than ${MAX_URL_LENGTH} characters`);
  const url = URL.parse(input, base);
  if (url === null) return invalid('the address cannot be read');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return invalid(`only http and https are fetched, not ${url.protocol}`);
  const host = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
  const problem = findHostProblem(host);
  if (problem !== undefined) return invalid(problem);
  if (url.port === '0') return invalid('port 0 cannot be connected to');
  const origin = `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`;
  let site = recall(origin);
  if (site === undefined) {
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    site = { origin, host, domain: domainOf(host, port) };
    remember(site);
  }
  return finish(site, normalizePath(url.pathname), url.search.slice(1));
}

function findHostProblem(host: string): string | undefined {
  if (host === '') return 'the address has no host';
  if (host.startsWith('[')) return undefined;
  if (host.length > 253) return 'the host name is longer than 253 characters';
  if (host.startsWith('.') || host.endsWith('.') || host.includes('..')) return 'the host name has an empty part';
  if (host.split('.').some((label) => label.length > 63)) return 'a part of the host name is longer than 63 characters';
  return undefined;
}

const PATH_SESSION = /;(?:jsessionid|phpsessid|sid)=[^/;]*/gi;
/** How ASP.NET writes a session id without cookies: /(S(24 characters))/page. */
const ASP_SESSION = /\/\(S\([a-z0-9]{24}\)\)(?=\/|$)/gi;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

function normalizePath(path: string): string {
  let result = normalizeEscapes(path);
  if (result.includes(';')) result = result.replace(PATH_SESSION, '');
  if (result.includes('(')) result = result.replace(ASP_SESSION, '') || '/';
  if (result === path) return path;
  // What was hidden behind an escape or a session id may now be a dot segment, or readable.
  return normalizePath(DOT_SEGMENT.test(result) ? new URL(`http://h${result}`).pathname : result);
}

function finish(site: Site, path: string, query: string): ParsedUrl {
  const search = query === '' ? '' : normalizeQuery(query);
  const url = search === '' ? site.origin + path : `${site.origin}${path}?${search}`;
  if (url.length > MAX_URL_LENGTH) return invalid(`the address is longer than ${MAX_URL_LENGTH} characters`);
  return { ok: true, url, origin: site.origin, host: site.host, domain: site.domain };
}
