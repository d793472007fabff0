import type { Answer } from './api.ts';

/** Both halves of the session an answer gave out, as headers. */
export const sessionOf = (answer: Answer) => ({
  cookie: cookieOf(answer, 'c4r_session'),
  'x-session-key': String(answer.body.session_key),
});

/** A cookie of an answer, as a browser sends it back. */
export function cookieOf(answer: Answer, name: string): string {
  const all = [answer.headers['set-cookie'] ?? []].flat();
  return all.find((cookie) => cookie.startsWith(`${name}=`))?.split(';', 1)[0] ?? '';
}
