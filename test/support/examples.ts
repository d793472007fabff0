import { successOf } from '../../src/surfaces/http/declared.ts';
import type { Route } from '../../src/surfaces/http/route.ts';
import type { World } from './world.ts';

const LOGGED_IN = ['changePassword', 'endMySession', 'endMyOtherSessions'];

/** Why a route's example is not sent. */
export function skipExample(entry: Route): string | undefined {
  if (entry.socket !== undefined || entry.stream === 'text/event-stream') return 'has no end: see streams.test.ts';
  if (LOGGED_IN.includes(entry.id)) return 'needs a login: see access.test.ts and sessions.test.ts';
  if (entry.path.startsWith('/auth/oidc/')) return 'needs a provider: see sign-in.test.ts';
  if (entry.takes !== undefined) return 'takes a file: see archives.test.ts';
  return undefined;
}

export interface Sent {
  entry: Route;
  status: number;
  expected: number;
  contentType: string;
  text: string;
  body: unknown;
}

/** Sends the example of a route, with real ids. */
export async function sendExample(world: World, entry: Route): Promise<Sent> {
  const { url, method, body } = await world.fill(entry);
  const answer = await world.send({ method, url, ...(body === undefined ? {} : { payload: body as object }) });
  const contentType = String(answer.headers['content-type'] ?? '');
  const json = /^application\/json\b/.test(contentType) && answer.text !== '';
  return {
    entry,
    status: answer.status,
    expected: successOf(entry),
    contentType,
    text: answer.text,
    body: json ? JSON.parse(answer.text) : undefined,
  };
}
