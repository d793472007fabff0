import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { type Access, type Caller, mayAccess } from '../../operations/access/caller.ts';
import type { Credentials } from '../../operations/access/identify-caller.ts';
import { readSession } from './cookies.ts';
import type { Bound } from './route.ts';

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

/** Refuses a bound key what is not for bound keys, and everything once its collections are gone. */
export function checkBound({ collections }: Caller, bound: Bound): void {
  if (collections === undefined || bound === 'open') return;
  if (bound === 'refused')
    throw new AppError('FORBIDDEN', 'this is not for a key that is bound to collections', {
      hint: 'Use a key that is not bound. A bound one can search, and work with the documents and crawls of its collections.',
    });
  if (collections.length === 0)
    throw new AppError('FORBIDDEN', 'the collections this key is bound to are gone', {
      hint: 'Make a new key, or bind this one anew: PATCH /api/v1/api-keys/{id}.',
    });
}

export function checkAccess(caller: Caller, access: Access): void {
  if (mayAccess(caller, access)) return;
  if (caller.kind === 'anonymous') throw new AppError('AUTH_REQUIRED', 'this needs an API key or a login');
  throw new AppError('FORBIDDEN', `this needs the scope "${access}"`, {
    hint: caller.kind === 'key' ? 'Use a key whose scopes allow this.' : 'Ask an admin to do this.',
  });
}
