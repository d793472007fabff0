import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { type Access, type Caller, mayAccess } from '../../operations/access/caller.ts';
import type { Credentials } from '../../operations/access/identify-caller.ts';
import { readSession } from './cookies.ts';

/** What a request says about its caller: a key or a session; a key wins. */
export function readCredentials(request: FastifyRequest): Credentials {
  const { authorization } = request.headers;
  const bearer = authorization === undefined ? undefined : /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined)
    throw new AppError('AUTH_REQUIRED', 'the Authorization header is not of the form Bearer c4r_…');
  const session = readSession(request.headers);
  return {
    ip: request.ip,
    ...(bearer === undefined ? {} : { bearer }),
    ...(session === undefined ? {} : { session }),
  };
}

export function checkAccess(caller: Caller, access: Access): void {
  if (mayAccess(caller, access)) return;
  if (caller.kind === 'anonymous') throw new AppError('AUTH_REQUIRED', 'this needs an API key or a login');
  throw new AppError('FORBIDDEN', `this needs the scope "${access}"`, {
    hint: caller.kind === 'key' ? 'Use a key whose scopes allow this.' : 'Ask an admin to do this.',
  });
}
