import { AppError, type ErrorCode } from '../../errors.ts';
import { firstLine } from './chromium-process.ts';

const CODES: [RegExp, ErrorCode][] = [
  [/^ERR_NAME_/, 'DNS_FAILED'],
  [/^ERR_(?:CERT|SSL|BAD_SSL)_?/, 'TLS_FAILED'],
  [/^ERR_(?:CONNECTION_REFUSED|CONNECTION_FAILED|ADDRESS_UNREACHABLE)$/, 'CONNECT_FAILED'],
  [
    /^ERR_(?:CONNECTION_RESET|CONNECTION_CLOSED|CONNECTION_ABORTED|EMPTY_RESPONSE|INCOMPLETE_.*|CONTENT_LENGTH_MISMATCH)$/,
    'CONNECTION_RESET',
  ],
  [/^ERR_(?:TIMED_OUT|CONNECTION_TIMED_OUT)$/, 'TIMEOUT'],
  [/^ERR_TOO_MANY_REDIRECTS$/, 'TOO_MANY_REDIRECTS'],
  [/^ERR_(?:INVALID_REDIRECT|UNSAFE_REDIRECT)$/, 'REDIRECT_INVALID'],
  [/^ERR_RESPONSE_HEADERS_TOO_BIG$/, 'HEADERS_TOO_LARGE'],
  [/^ERR_(?:INVALID_RESPONSE|INVALID_HTTP_RESPONSE|RESPONSE_HEADERS_.*)$/, 'RESPONSE_INVALID'],
  [/^ERR_CONTENT_DECODING_/, 'ENCODING_UNSUPPORTED'],
  [/^ERR_(?:TUNNEL_CONNECTION_FAILED|PROXY_.*)$/, 'PROXY_FAILED'],
  [/^ERR_(?:UNSAFE_PORT|BLOCKED_BY_.*|DISALLOWED_URL_SCHEME)$/, 'URL_BLOCKED'],
];

/** What Chromium says went wrong, as a code of ours. */
export function mapBrowserError(error: unknown, url: string): AppError {
  if (error instanceof AppError) return error;
  const message = firstLine(error);
  const name = /net::(ERR_[A-Z_\d]+)/.exec(message)?.[1] ?? '';
  const code = CODES.find(([pattern]) => pattern.test(name))?.[1] ?? 'RENDER_FAILED';
  return new AppError(code, `${url}: ${name === '' ? message : name}`, { cause: error });
}
