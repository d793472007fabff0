import { ERRORS, type ErrorCode } from '../../errors.ts';
import { hasEtag } from './etag.ts';
import type { Route } from './route.ts';

/** What routes can answer: the document lists it, and an answer outside of it is logged. */

/** An address that a caller gives is read, judged by the guard, and its domain may be blocked. */
export const GIVEN_URL: readonly ErrorCode[] = ['URL_INVALID', 'URL_BLOCKED', 'DOMAIN_BLOCKED'];

/** A page is fetched while the caller waits: whatever its site does is answered. */
export const VISITS_SITE: readonly ErrorCode[] = [
  ...GIVEN_URL,
  ...(['ROBOTS_DISALLOWED', 'ROBOTS_UNAVAILABLE', 'CIRCUIT_OPEN', 'DOMAIN_WAITING', 'TURN_OVER'] as const),
  ...(['DNS_FAILED', 'CONNECT_FAILED', 'CONNECTION_RESET', 'TLS_FAILED', 'TIMEOUT'] as const),
  ...(['PROXY_FAILED', 'PROXY_UNAVAILABLE', 'HTTP_4XX', 'HTTP_5XX', 'HTTP_429', 'TOO_MANY_REDIRECTS'] as const),
  ...(['REDIRECT_INVALID', 'RESPONSE_INVALID', 'TOO_LARGE', 'HEADERS_TOO_LARGE', 'DECOMPRESSION_BOMB'] as const),
  ...(['ENCODING_UNSUPPORTED', 'CONTENT_TYPE_UNSUPPORTED', 'RENDER_FAILED', 'BROWSER_MISSING', 'CANCELLED'] as const),
];

/** Bytes that are no request are refused before a route is known, and so by all of them. */
const TRANSPORT: readonly ErrorCode[] = [
  'REQUEST_INVALID',
  'REQUEST_TIMEOUT',
  'REQUEST_HEAD_TOO_LARGE',
  'TOO_MANY_CONNECTIONS',
];

/** What any request that reaches the engines can meet. */
const ENGINES: readonly ErrorCode[] = ['DATABASE_DOWN', 'DATABASE_CONFLICT', 'ENGINE_DOWN', 'DISK_FULL'];

/** Values that are sealed at rest are opened with the key of the installation. */
const SECRETS: readonly ErrorCode[] = ['SECRETS_KEY_MISSING', 'SECRETS_KEY_WRONG', 'SECRET_DAMAGED'];

/** The codes that follow from access, method and input, and those the route declares itself. */
function listCodes(entry: Route): ErrorCode[] {
  const { params, query, body, access, method, creates } = entry;
  const limited = entry.limit !== 'none';
  const writes = access === 'write' || access === 'admin';
  const has = (name: string) => query !== undefined && name in (shapeOf(query) ?? {});
  const input = [params, query, body, creates, entry.stream].some((part) => part !== undefined);
  return [
    'HOST_NOT_ALLOWED',
    'INTERNAL_ERROR',
    ...TRANSPORT,
    // A value that only the database refuses is the caller's fault, too.
    ...(input || limited ? (['VALIDATION_FAILED'] as const) : []),
    // By its path, or by the ids in its body: what they name may be deleted at any moment.
    ...(params !== undefined || (body !== undefined && writes) ? (['NOT_FOUND'] as const) : []),
    ...(has('cursor') ? (['CURSOR_INVALID'] as const) : []),
    // A wrong key is refused where none is needed, too.
    ...(limited ? (['RATE_LIMITED', 'AUTH_REQUIRED', ...ENGINES] as const) : []),
    ...(access === 'public' && method === 'GET' ? [] : (['FORBIDDEN'] as const)),
    ...(method === 'GET' ? [] : (['JSON_INVALID', 'BODY_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED', ...SECRETS] as const)),
    ...(creates === undefined ? [] : (['IDEMPOTENCY_MISMATCH', 'CONFLICT'] as const)),
    ...(entry.socket === undefined ? [] : (['UPGRADE_REQUIRED'] as const)),
    ...(entry.errors ?? []),
  ];
}

const shapeOf = (schema: object) => ('shape' in schema ? (schema.shape as object) : undefined);

const known = new WeakMap<Route, { codes: ReadonlySet<ErrorCode>; statuses: ReadonlySet<number> }>();

function declared(entry: Route) {
  let found = known.get(entry);
  if (found === undefined) {
    const codes = new Set(listCodes(entry));
    const fine = [successOf(entry), ...Object.keys(entry.also ?? {}).map(Number), ...(hasEtag(entry) ? [304] : [])];
    found = { codes, statuses: new Set([...fine, ...[...codes].map((code) => ERRORS[code].status)]) };
    known.set(entry, found);
  }
  return found;
}

/** The status of an answer that went well. */
export const successOf = (entry: Route): number => {
  if (entry.socket !== undefined) return 101;
  return entry.status ?? (entry.response === undefined && entry.stream === undefined ? 204 : 200);
};

export const declaresCode = (entry: Route, code: ErrorCode) => declared(entry).codes.has(code);
export const declaresStatus = (entry: Route, status: number) => declared(entry).statuses.has(status);

/** The codes of a route by their status, in order. */
export function codesByStatus(entry: Route): [status: number, codes: ErrorCode[]][] {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of [...declared(entry).codes].sort())
    groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code]);
  return [...groups].sort(([a], [b]) => a - b);
}
