import { AppError } from '../../errors.ts';

/** Ways a connection is refused or breaks, below SQL. */
const SOCKET_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['ENETUNREACH', 'EACCES'],
]);
/** Too many connections, shutting down, crashed, starting up, dropped. */
const DOWN_STATES = new Set(['53300', '57P01', '57P02', '57P03', '57P05']);
/** Wrong password, unknown role, unknown database. */
const LOGIN_STATES = new Set(['28P01', '28000', '3D000']);
const CLIENT_MESSAGES = /connection terminated|connection ended|timeout expired|not queryable|timeout exceeded/i;

export function mapError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const error = thrown as Error & { code?: string };
  const code = error.code ?? '';
  const isState = /^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !SOCKET_CODES.has(code);
  const options = isState ? { cause: thrown, details: { sqlstate: code } } : { cause: thrown };
  if (code === '53100' || (code.startsWith('58') && /no space left/i.test(error.message)))
    return new AppError('DISK_FULL', 'the database has no disk space left', options);
  if (LOGIN_STATES.has(code))
    return new AppError('CONFIG_INVALID', `the database refuses the login: ${error.message}`, {
      ...options,
      hint: 'Check user, password and database name in DATABASE__POSTGRES_URL.',
    });
  if (code === '40001' || code === '40P01')
    return new AppError('DATABASE_CONFLICT', 'other work on the same rows came first', options);
  if (isDown(code, error))
    return new AppError('DATABASE_DOWN', `the database does not answer: ${reason(error)}`, options);
  return new AppError('INTERNAL_ERROR', `the database refused a statement: ${error.message}`, options);
}

const isDown = (code: string, error: Error) =>
  SOCKET_CODES.has(code) ||
  DOWN_STATES.has(code) ||
  code.startsWith('08') ||
  (code === '' && CLIENT_MESSAGES.test(error.message)) ||
  (error instanceof AggregateError && error.errors.some((each) => SOCKET_CODES.has(each.code ?? '')));

const reason = (error: Error & { code?: string }) => error.message || error.code || error.name;
