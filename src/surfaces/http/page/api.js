/** Talks to the API of this server as the person who is logged in. */

/** Half of the session. Storage belongs to this origin alone, while the cookie goes to every port of this host. */
const KEY = 'crawl4r-session-key';

const headers = () => {
  const key = localStorage.getItem(KEY);
  return key === null ? {} : { 'x-session-key': key };
};

export async function call(method, path, body) {
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: { ...headers(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = response.status === 204 ? undefined : await response.json();
  if (response.ok) {
    if (answer?.session_key !== undefined) localStorage.setItem(KEY, answer.session_key);
    return answer;
  }
  if (response.status === 401 && localStorage.getItem(KEY) !== null && !path.startsWith('/auth/')) forget();
  throw Object.assign(new Error([answer.error, answer.hint].filter(Boolean).join('. ')), { code: answer.code });
}

/** The session ended: back to the login. */
function forget() {
  localStorage.removeItem(KEY);
  location.reload();
}

/** Who is logged in (`user`, or null), and whom one may sign in with. */
export const whoAmI = () => call('GET', '/auth/me');

export async function logOut() {
  await call('POST', '/auth/logout');
  forget();
}

/**
 * Server-sent events, read by fetch because EventSource sends no headers. Connects again after a break, from the last
 * event on, until the stream says `end` or `signal` aborts.
 */
export async function watch(path, signal, onEvent) {
  let last = {};
  while (!signal.aborted) {
    try {
      const response = await fetch(`/api/v1${path}`, { headers: { ...headers(), ...last }, signal });
      if (!response.ok) return;
      for await (const event of readEvents(response.body.pipeThrough(new TextDecoderStream()).getReader())) {
        if (event.event === 'end') return;
        if (event.id !== undefined) last = { 'last-event-id': event.id };
        onEvent(event);
      }
    } catch {
      // The connection broke; the next one goes on.
    }
    await new Promise((done) => setTimeout(done, 2_000));
  }
}

/** Events stand between empty lines, as `name: value` a line; lines without a name are comments. */
async function* readEvents(reader) {
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (text + value).split('\n\n');
    text = parts.pop();
    for (const part of parts) {
      const lines = part.split('\n').map((line) => line.split(/: ?(.*)/s, 2));
      const event = Object.fromEntries(lines.filter(([name]) => name !== ''));
      if (event.data !== undefined) yield event;
    }
  }
}
