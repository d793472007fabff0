import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { joinHalves, SESSION_MAX_S, type SessionHalves, type SignedIn } from '../../operations/access/start-session.ts';

interface Cookie {
  name: string;
  path: string;
}

const SESSION: Cookie = { name: 'c4r_session', path: '/' };
const KEY_HEADER = 'x-session-key';

/** Both halves of a session, joined; undefined unless both came. */
export function readSession(headers: IncomingHttpHeaders): string | undefined {
  const [cookie, key] = [readCookie(headers, SESSION.name), headers[KEY_HEADER]];
  return cookie === undefined || typeof key !== 'string' ? undefined : joinHalves({ cookie, key });
}

export function readCookie(headers: IncomingHttpHeaders, wanted: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=');
    if (name === wanted && value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** A cookie that no script reads and no other site sends; over TLS alone where the request came that way. */
export function sendCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, path }: Cookie,
  value: string,
  maxAgeS: number,
): void {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  // Fastify adds to the cookies that are set already.
  reply.header('set-cookie', `${name}=${value}; Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${maxAgeS}${secure}`);
}

/** Sends one half as a cookie and returns what the answer must hold: the other. */
export function sendSession(request: FastifyRequest, reply: FastifyReply, halves: SessionHalves) {
  sendCookie(request, reply, SESSION, halves.cookie, SESSION_MAX_S);
  return { session_key: halves.key };
}

/** The answer of a login: half of the session, and who it is. */
export const sendSignedIn = (request: FastifyRequest, reply: FastifyReply, { session, user }: SignedIn) => ({
  user,
  ...sendSession(request, reply, session),
});

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply) =>
  sendCookie(request, reply, SESSION, '', 0);
