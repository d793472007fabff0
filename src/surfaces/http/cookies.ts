import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_TTL_S } from '../../operations/access/start-session.ts';

const NAME = 'c4r_session';

export const readSessionCookie = (request: FastifyRequest) => readCookie(request.headers.cookie);

export function readCookie(header: string | undefined): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [name, value] = pair.trim().split('=');
    if (name === NAME && value !== undefined && value !== '') return value;
  }
  return undefined;
}

const send = (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number) => {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${NAME}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`);
};

export const sendSessionCookie = (request: FastifyRequest, reply: FastifyReply, token: string) =>
  send(request, reply, token, SESSION_TTL_S);

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply) => send(request, reply, '', 0);
