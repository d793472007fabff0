import { createHash } from 'node:crypto';
import type { Route } from './route.ts';

/**
 * What clients poll has an ETag: every JSON answer that needs the scope `read`. Answers for admins and to logins may hold
 * secrets, and stay uncached.
 */
export const hasEtag = ({ method, access, response, stream }: Route): boolean =>
  method === 'GET' && access === 'read' && response !== undefined && stream === undefined;

/** Kept by the caller alone, and asked for again before each use. */
export const REVALIDATED = 'private, no-cache';

/** Weak: the same content, whatever happens to its bytes on the way. Bytes that are sent again are hashed once. */
export function toEtag(state: string | Buffer): string {
  const known = typeof state === 'string' ? undefined : tags.get(state);
  if (known !== undefined) return known;
  const tag = `W/"${createHash('sha256').update(state).digest('base64url').slice(0, 22)}"`;
  if (typeof state !== 'string') tags.set(state, tag);
  return tag;
}

const tags = new WeakMap<Buffer, string>();

/** Whether If-None-Match names this state (RFC 9110: a list of tags, compared weakly, or a star). */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(etag));
}
