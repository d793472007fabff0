import { productTokenOf } from './robots.ts';

export interface RobotsTag {
  noindex: boolean;
  nofollow: boolean;
}

/** A directive of this shape names the crawler that it and what follows are for; dates and limits have colons too. */
const SCOPED = /^([a-z][\w.-]*)\s*:(.*)$/is;
const WITH_VALUE = /^(unavailable_after|max-[a-z-]+)$/i;

/** What the X-Robots-Tag of a response requires of the crawler with this user agent. */
export function readRobotsTag(header: string | undefined, userAgent: string): RobotsTag {
  const asked: RobotsTag = { noindex: false, nofollow: false };
  let forUs = true;
  for (const part of (header ?? '').split(',')) {
    const scoped = SCOPED.exec(part.trim());
    const names = scoped !== null && !WITH_VALUE.test(scoped[1]!);
    if (names) forUs = scoped[1]!.toLowerCase() === productTokenOf(userAgent);
    const word = (names ? scoped[2]! : part).trim().toLowerCase();
    if (!forUs) continue;
    if (word === 'noindex' || word === 'none') asked.noindex = true;
    if (word === 'nofollow' || word === 'none') asked.nofollow = true;
  }
  return asked;
}
