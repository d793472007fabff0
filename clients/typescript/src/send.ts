import { type Call, type CallOptions, type Method, type Parts, queryOf } from './call.ts';
import { CrawlerApiError, errorOf } from './error.ts';
import { guardBody, readText } from './read-body.ts';
import { pause, waitBeforeRetry } from './retry.ts';

/** How requests of one client are sent. */
export interface SendSettings {
  /** Without a slash at its end. */
  base: string;
  headers: Record<string, string>;
  fetch: typeof globalThis.fetch;
  retries: number;
  timeoutMs: number;
  maxWaitMs: number;
  maxAnswerBytes: number;
}

/** Sends requests, each as often as its settings and its errors allow. */
export function createCall(settings: SendSettings): Call {
  return async <Answer>(method: Method, path: string, parts: Parts, options: CallOptions = {}): Promise<Answer> => {
    const key = parts.creates === true ? (options.idempotencyKey ?? crypto.randomUUID()) : options.idempotencyKey;
    const headers = { ...(key === undefined ? {} : { 'idempotency-key': key }), ...options.headers };
    const repeatable = (key !== undefined || ['GET', 'PUT', 'DELETE'].includes(method)) && !isStream(parts.body);
    const retries = isStream(parts.body) ? 0 : (options.retries ?? settings.retries);
    for (let tries = 1; ; tries++) {
      try {
        return (await tryOnce(settings, method, path, parts, { ...options, headers })) as Answer;
      } catch (error) {
        const wait = waitBeforeRetry(error, tries, { repeatable, maxWaitMs: settings.maxWaitMs });
        if (wait === undefined || tries > retries) throw error;
        await pause(wait, options.signal);
      }
    }
  };
}

async function tryOnce(
  settings: SendSettings,
  method: Method,
  path: string,
  { query, body, raw }: Parts,
  options: CallOptions,
): Promise<unknown> {
  const json = body !== undefined && !isRaw(body);
  const response = await open(settings, `${path}${queryOf(query)}`, options, {
    method,
    headers: {
      accept: raw === true ? '*/*' : 'application/json',
      ...(json ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : (body as RequestInit['body']) }),
    ...(isStream(body) ? { duplex: 'half' as const } : {}),
  });
  const idleMs = options.timeoutMs ?? settings.timeoutMs;
  const limits = { idleMs, maxBytes: settings.maxAnswerBytes, signal: options.signal };
  if (raw === true) return guardBody(response, idleMs, options.signal);
  const text = await readText(response, limits);
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A page where JSON should be: another program answers at this address.
    throw errorOf(response, '');
  }
}

/**
 * Sends one request and resolves with its answer, the body unread. Rejects when the status says that it went wrong, and
 * when nothing has come after the time-out.
 */
export async function open(
  settings: SendSettings,
  path: string,
  options: CallOptions,
  init: RequestInit & { headers?: Record<string, string>; duplex?: 'half' },
): Promise<Response> {
  const { signal } = options;
  signal?.throwIfAborted();
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  // Called without an owner: browsers refuse it as a method of anything else.
  const { fetch } = settings;
  let response: Response;
  try {
    response = await fetch(`${settings.base}${path}`, {
      ...init,
      headers: { ...settings.headers, ...init.headers, ...options.headers },
      redirect: 'manual',
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    });
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw late.signal.aborted
      ? new CrawlerApiError(`no answer within ${timeoutMs / 1_000} s`, { status: 0, code: 'TIMEOUT', cause })
      : new CrawlerApiError(`no connection to ${settings.base}`, { status: 0, code: 'CONNECTION_FAILED', cause });
  } finally {
    clearTimeout(timer);
  }
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
    throw await redirected(response);
  if (response.ok) return response;
  throw errorOf(
    response,
    await readText(response, { idleMs: timeoutMs, maxBytes: settings.maxAnswerBytes, signal }).catch((error) => {
      if (signal?.aborted) throw error;
      return '';
    }),
  );
}

async function redirected(response: Response): Promise<CrawlerApiError> {
  await response.body?.cancel().catch(() => undefined);
  const to = response.headers.get('location');
  return new CrawlerApiError(`the server answers from another address${to === null ? '' : `: ${to.slice(0, 200)}`}`, {
    status: response.status,
    code: 'REDIRECTED',
    hint: 'Use that address as the server.',
  });
}

const isStream = (body: unknown): boolean => body instanceof ReadableStream;
const isRaw = (body: unknown): boolean =>
  isStream(body) ||
  body instanceof FormData ||
  body instanceof Blob ||
  body instanceof ArrayBuffer ||
  body instanceof Uint8Array;
