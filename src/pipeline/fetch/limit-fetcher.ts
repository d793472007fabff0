import type { Fetcher } from '../../ports/fetcher.ts';

/** The same fetcher with at most `open` requests at once; further ones wait in line. */
export function limitFetcher(fetcher: Fetcher, open: number): Fetcher {
  let free = open;
  const line: (() => void)[] = [];
  return {
    async fetch(request) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => line.push(resolve));
      try {
        return await fetcher.fetch(request);
      } finally {
        const next = line.shift();
        if (next === undefined) free++;
        else next();
      }
    },
    [Symbol.asyncDispose]: () => fetcher[Symbol.asyncDispose](),
  };
}
