import { AppError, type ErrorCode } from '../../errors.ts';

const CODES: Record<string, ErrorCode> = {
  ECONNREFUSED: 'CONNECT_FAILED',
  EHOSTUNREACH: 'CONNECT_FAILED',
  EHOSTDOWN: 'CONNECT_FAILED',
  ENETUNREACH: 'CONNECT_FAILED',
  ENETDOWN: 'CONNECT_FAILED',
  EADDRNOTAVAIL: 'CONNECT_FAILED',
  EACCES: 'CONNECT_FAILED',
  EPERM: 'CONNECT_FAILED',
  EMFILE: 'CONNECT_FAILED',
  ECONNRESET: 'CONNECTION_RESET',
  ECONNABORTED: 'CONNECTION_RESET',
  EPIPE: 'CONNECTION_RESET',
  UND_ERR_SOCKET: 'CONNECTION_RESET',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'CONNECTION_RESET',
  ETIMEDOUT: 'TIMEOUT',
  UND_ERR_CONNECT_TIMEOUT: 'TIMEOUT',
  UND_ERR_HEADERS_TIMEOUT: 'TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'TIMEOUT',
  UND_ERR_HEADERS_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ENOTFOUND: 'DNS_FAILED',
  EAI_AGAIN: 'DNS_FAILED',
  EPROTO: 'TLS_FAILED',
  HOSTNAME_MISMATCH: 'TLS_FAILED',
  UND_ERR_DESTROYED: 'CANCELLED',
  UND_ERR_CLOSED: 'CANCELLED',
  UND_ERR_ABORTED: 'CANCELLED',
  UND_ERR_INVALID_ARG: 'VALIDATION_FAILED',
};

const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|INVALID_CA|PATH_LENGTH|INVALID_PURPOSE|CRL_)/;

/** What went wrong on the way, as a code of ours; the original stays as `cause`. */
export function mapNetworkError(error: unknown, url: string): AppError {
  if (error instanceof AppError) return error;
  const { code = '', name, message = String(error) } = error as NodeJS.ErrnoException;
  const mapped = name === 'HTTPParserError' && CODES[code] === undefined ? 'RESPONSE_INVALID' : codeOf(code);
  return new AppError(mapped, `${url}: ${message || code}`, { cause: error });
}

function codeOf(code: string): ErrorCode {
  const known = CODES[code];
  if (known !== undefined) return known;
  if (TLS_CODE.test(code)) return 'TLS_FAILED';
  return 'CONNECTION_RESET';
}
