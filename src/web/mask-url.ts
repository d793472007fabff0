const MASK = '***';
const LONGEST_PLAIN = 15;

/**
 * An address that can be shown: where it leads stays readable, what may be a secret does not. User name, password, values
 * of the query and the fragment are removed; so are parts of the path that are too long for a name, where chat services put
 * their tokens.
 */
export function maskUrl(address: string): string {
  const url = URL.parse(address);
  if (url === null) return MASK;
  const path = url.pathname
    .split('/')
    .map((part) => (isPlain(part) ? part : MASK))
    .join('/');
  const query = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${MASK}`).join('&');
  const user = url.username === '' && url.password === '' ? '' : `${MASK}@`;
  return `${url.protocol}//${user}${url.host}${path}${query === '' ? '' : `?${query}`}`;
}

/** Short, or several lower-case words. */
const isPlain = (part: string) => part.length <= LONGEST_PLAIN || /^[a-z]+(?:[-_.][a-z]+)+$/.test(part);
