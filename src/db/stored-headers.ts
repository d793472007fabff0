import type { Secrets } from '../secrets.ts';

/**
 * Header fields as they are stored: by the origin they were given for, names readable, values sealed. The origin is part
 * of what is authenticated, so values cannot be moved to another one, not even by an edit in the database.
 */
export type StoredHeaders = Record<string, { names: string[]; values: string }>;

const purposeOf = (origin: string) => `headers ${origin}`;

export function sealHeaders(
  secrets: Secrets,
  headers: Record<string, string>,
  origins: Iterable<string>,
): StoredHeaders {
  const names = Object.keys(headers);
  if (names.length === 0) return {};
  const text = JSON.stringify(headers);
  return Object.fromEntries(
    [...new Set(origins)].map((origin) => [origin, { names, values: secrets.seal(purposeOf(origin), text) }]),
  );
}

/** The fields that may be sent to an address: none unless they were given for its origin. */
export function openHeaders(secrets: Secrets, stored: StoredHeaders, url: string): Record<string, string> {
  if (Object.keys(stored).length === 0) return {};
  const { origin } = new URL(url);
  const found = Object.hasOwn(stored, origin) ? stored[origin] : undefined;
  return found === undefined
    ? {}
    : (JSON.parse(secrets.open(purposeOf(origin), found.values)) as Record<string, string>);
}

/** The same values under the key that seals now. */
export const resealHeaders = (secrets: Secrets, stored: StoredHeaders): StoredHeaders =>
  Object.fromEntries(
    Object.entries(stored).map(([origin, { names, values }]) => {
      const purpose = purposeOf(origin);
      return [origin, { names, values: secrets.seal(purpose, secrets.open(purpose, values)) }];
    }),
  );

/** What answers show of them. */
export const namesOf = (stored: StoredHeaders): string[] =>
  [...new Set(Object.values(stored).flatMap(({ names }) => names.map((name) => name.toLowerCase())))].sort();
