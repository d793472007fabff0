import { AppError } from './errors.ts';

/** Names whose value is a secret, whatever it looks like. */
const SECRET_NAME =
  /^(authorization|proxy-authorization|cookie|set-cookie)$|passw|secret|token(?!s|izer|_?count)|api-?_?key|access-?_?key|private-?_?key|session-?_?key|credential/i;
const SECRET_PARAMETER = /token|secret|passw|signature|api_?key/i;
/** What every secret form below has in it. Most texts have none of it, and are not searched for each. */
const SUSPECT = /c4r_|whsec_|bearer |basic |\/\/|[?&]|\/blobs\//i;
const HIDDEN = '[hidden]';
const MAX_DEPTH = 6;
const MAX_TEXT = 8_192;
const MAX_ENTRIES = 200;
const MAX_NAME = 200;

/**
 * A copy that is safe to write down: secrets are hidden by the name of their field and by their form (our keys, bearer
 * tokens, signed links, passwords inside URLs), errors become plain data, and nothing in it can make JSON.stringify throw.
 */
export function redact(value: unknown, depth = 0, seen: object[] = []): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof URL) return redactText(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (seen.includes(value) || depth >= MAX_DEPTH) return '[…]';
  const path = [...seen, value];
  if (value instanceof Error) return redact(describeError(value), depth, path);
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => redact(entry, depth + 1, path));
  const entries: [unknown, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  const copy: Record<string, unknown> = {};
  for (const [name, entry] of entries.length > MAX_ENTRIES ? entries.slice(0, MAX_ENTRIES) : entries) {
    const text = String(name);
    const hidden = isSecretName(text) && typeof entry !== 'boolean' && entry != null;
    const kept = hidden ? HIDDEN : isPlain(entry) ? entry : redact(entry, depth + 1, path);
    // Assigned, this name would set the prototype.
    if (text === '__proto__') Object.defineProperty(copy, text, { value: kept, enumerable: true });
    else copy[text.length > MAX_NAME ? text.slice(0, MAX_NAME) : text] = kept;
  }
  return copy;
}

const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean' || value == null;

/** Field names come from the program and are few; those of foreign data must not fill the memory. */
const judged = new Map<string, boolean>();
const MAX_JUDGED = 1_000;

function isSecretName(name: string): boolean {
  let secret = judged.get(name);
  if (secret === undefined) {
    secret = SECRET_NAME.test(name);
    if (judged.size < MAX_JUDGED && name.length <= MAX_NAME) judged.set(name, secret);
  }
  return secret;
}

function redactText(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  if (!SUSPECT.test(short)) return short;
  return short
    .replace(/\bc4r_[\w-]{6,}/g, 'c4r_[hidden]')
    .replace(/\bwhsec_[\w+/=-]{6,}/g, 'whsec_[hidden]')
    .replace(/(\/blobs\/)[\w.-]{6,}/g, '$1[hidden]')
    .replace(/\b(Bearer|Basic) [\w.~+/=-]{6,}/gi, '$1 [hidden]')
    .replace(/(\/\/[^/\s:@]*):[^/\s@]+@/g, '$1:[hidden]@')
    .replace(/([?&]([\w-]+)=)[^&\s#]+/g, (parameter, start: string, name: string) =>
      SECRET_PARAMETER.test(name) ? `${start}[hidden]` : parameter,
    );
}

/** Expected errors are described by their code; only unexpected ones log a stack. */
function describeError(error: Error): Record<string, unknown> {
  const { cause } = error;
  const because = cause === undefined ? {} : { cause: cause instanceof Error ? cause.message : cause };
  if (error instanceof AppError) {
    const details = error.details === undefined ? {} : { details: error.details };
    return { code: error.code, message: error.message, ...details, ...because };
  }
  const { code } = error as NodeJS.ErrnoException;
  return {
    name: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...because,
    stack: error.stack,
  };
}
