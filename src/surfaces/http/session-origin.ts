import type { FastifyRequest } from 'fastify';
import type { SessionOrigin } from '../../operations/access/start-session.ts';
import { readSession } from './cookies.ts';

export function originOf(request: FastifyRequest): SessionOrigin {
  const [userAgent, previous] = [request.headers['user-agent'], readSession(request.headers)];
  return {
    ip: request.ip,
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(previous === undefined ? {} : { previous }),
  };
}
