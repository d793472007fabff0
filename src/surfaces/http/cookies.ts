import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { joinHalves, SESSION_TTL_S, type SessionHalves } from '../../operations/access/start-session.ts';

const COOKIE = 'c4r_session';
const KEY_HEADER = 'x-session-key';

/** Both halves of a session, joined; undefined unless both came. */
export function readSession(headers: IncomingHttpHeaders): string | undefined {
  const [cookie, key] = [readCookie(headers.cookie), headers[KEY_HEADER]];
  return cookie === undefined || typeof key !== 'string' ? undefined : joinHalves({ cookie, key });
}

function readCookie(header: string | undefined): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [name, value] = pair.trim().split('=');
    if (name === COOKIE && value !== undefined && value !== '') return value;
  }
  return undefined;
}

const send = (request: FastifyRequest, reply: FastifyReply, value: string, maxAge: number) => {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`);
};

/** Sends one half as a cookie and returns what the answer must hold: the other. */
export function sendSession(request: FastifyRequest, reply: FastifyReply, halves: SessionHalves) {
  send(request, reply, halves.cookie, SESSION_TTL_S);
  return { session_key: halves.key };
}

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply) => send(request, reply, '', 0);
