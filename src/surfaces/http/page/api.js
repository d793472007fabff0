/** Talks to the API of this server as the person who is logged in. */
let csrfToken;

export async function call(method, path, body) {
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = response.status === 204 ? undefined : await response.json();
  if (response.ok) return answer;
  if (response.status === 401 && csrfToken !== undefined) location.reload();
  throw Object.assign(new Error([answer.error, answer.hint].filter(Boolean).join('. ')), { code: answer.code });
}

/** Who is logged in, or undefined. */
export async function whoAmI() {
  const me = await call('GET', '/auth/me');
  csrfToken = me.csrf_token ?? undefined;
  return me.user ?? undefined;
}
