import type { FastifyRequest } from 'fastify';
import type { SessionOrigin } from '../../operations/access/start-session.ts';
import { readSessionCookie } from './cookies.ts';

export function originOf(request: FastifyRequest): SessionOrigin {
  const [userAgent, previousToken] = [request.headers['user-agent'], readSessionCookie(request)];
  return {
    ip: request.ip,
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(previousToken === undefined ? {} : { previousToken }),
  };
}
