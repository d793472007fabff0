import { camel, wordsOf } from './document.ts';

/** Tags whose group in the client has another name. */
const GROUPS: Record<string, string> = { crawl: 'crawls' };
/** What a tag is about, where its name does not say it. */
const NOUNS: Record<string, string[]> = { discover: ['Discovery'] };
/** Names that read better than the rule's. */
const METHODS: Record<string, string> = {
  startDeepCrawl: 'startDeep',
  addToFrontier: 'add',
  restartFailedTasks: 'restartFailed',
};

export const groupOf = (tag: string): string => GROUPS[tag] ?? camel(tag);

/** `tasks` → Task, Tasks; `proxies` → Proxy, Proxies. */
function nounsOf(tag: string): Set<string> {
  const singular = tag.endsWith('ies') ? `${tag.slice(0, -3)}y` : tag.replace(/s$/, '');
  return new Set([
    ...[tag, singular, `${singular}s`].map((form) => form.charAt(0).toUpperCase() + form.slice(1)),
    ...(NOUNS[tag] ?? []),
  ]);
}

/**
 * The method an operation becomes: its operationId without the noun of its group where that is the second word
 * (`listCrawls` of crawls is `crawls.list`). A name that is taken stays whole.
 */
export function methodOf(operationId: string, tag: string, taken: ReadonlySet<string>): string {
  const whole = camel(operationId);
  const [verb = '', noun = '', ...rest] = wordsOf(operationId);
  const short = METHODS[operationId] ?? (nounsOf(tag).has(noun) ? camel([verb, ...rest].join(' ')) : whole);
  return [short, whole].find((name) => !taken.has(name)) ?? `${whole}${taken.size}`;
}
