import type { CrawlerApiError } from '../../../clients/typescript/src/index.ts';
import { AppError, ERRORS, type ErrorCode } from '../../errors.ts';

/** What a connection failed with, below fetch's own words: Node keeps it in the cause. */
function reasonOf(error: unknown): { code: string; message: string } {
  let found = error as { code?: unknown; message?: unknown; cause?: unknown } | undefined;
  for (let depth = 0; depth < 5 && found?.cause instanceof Error; depth++) found = found.cause as typeof found;
  return { code: String(found?.code ?? ''), message: String(found?.message ?? '') };
}

const isTls = (code: string) =>
  /^(CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER))/.test(code);

/** An error of the client as one of the program's own: a code, a sentence, and what to do about it at a command line. */
export function explainError(error: CrawlerApiError, server: string, remote: boolean): AppError {
  const { status, code, message, hint, details, retryAfterMs } = error;
  const as = (known: ErrorCode, words: string, todo?: string) =>
    new AppError(known, words, {
      cause: error,
      ...(todo === undefined ? {} : { hint: todo }),
      ...(details === undefined ? {} : { details }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  if (code === 'CONNECTION_FAILED') return explainConnection(error, server, remote, as);
  if (code === 'ANSWER_INVALID')
    return status >= 500
      ? as('ENGINE_DOWN', `${server} answered ${status}`, 'Something before the server does not reach it; try again.')
      : as('NOT_CRAWL4R', `what answers at ${server} is not crawl4r`);
  if (code === 'REDIRECTED') return as('NOT_CRAWL4R', message, 'Give --server the address it names.');
  if (code === 'TIMEOUT' && status === 0) return as('TIMEOUT', `${server}: ${message}`, 'Try again later.');
  if (status === 401 && remote)
    return as(
      'AUTH_REQUIRED',
      `${server} does not take this key: ${message}`,
      'Give one that works: --key KEY, CRAWL4R_KEY, or crawl4r profiles add NAME --server URL --key -',
    );
  // The message names the fields; a command has no details to look at.
  if (code === 'VALIDATION_FAILED') return as(code, message, ERRORS.USAGE.hint);
  return as(code in ERRORS ? (code as ErrorCode) : 'INTERNAL_ERROR', message, hint);
}

function explainConnection(
  error: CrawlerApiError,
  server: string,
  remote: boolean,
  as: (code: ErrorCode, words: string, hint?: string) => AppError,
): AppError {
  if (!remote) return as('ENGINE_DOWN', `the server at ${server} does not answer`, 'Start it again with: crawl4r up.');
  const { code, message } = reasonOf(error);
  if (isTls(code))
    return as(
      'TLS_FAILED',
      `no safe connection to ${server}: ${message} (${code})`,
      'Check the certificate and the address (http or https); NODE_EXTRA_CA_CERTS=FILE adds an authority of your own.',
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return as('DNS_FAILED', `there is no host "${new URL(server).hostname}"`, 'Check the address of the server.');
  const why = message === '' ? error.message : message;
  return as('CONNECT_FAILED', `${server} does not answer: ${why}`, 'Check address and port, and that the server runs.');
}
