/** Addresses of one crawl that are known to be its tasks. */
export interface SeenUrls {
  has(url: string): boolean;
  add(url: string): void;
}

type Generation = Map<string, Set<string>>;

/**
 * What is seen, of all crawls together and bounded: when the young half is full it becomes the old one, and what was old
 * and not met again is forgotten. A crawl costs nothing until it has addresses.
 */
export function createSeen(maxUrls: number): (crawlId: string) => SeenUrls {
  let young: Generation = new Map();
  let old: Generation = new Map();
  let count = 0;

  function add(crawlId: string, url: string): void {
    const urls = young.get(crawlId) ?? new Set();
    if (urls.size === 0) young.set(crawlId, urls);
    if (urls.has(url)) return;
    urls.add(url);
    if (++count < maxUrls / 2) return;
    old = young;
    young = new Map();
    count = 0;
  }

  return (crawlId) => ({
    has(url) {
      if (young.get(crawlId)?.has(url)) return true;
      if (!old.get(crawlId)?.has(url)) return false;
      add(crawlId, url);
      return true;
    },
    add: (url) => add(crawlId, url),
  });
}
