import type { Fetcher } from '../../ports/fetcher.ts';

/** A site that has not answered by then waits on its own account: others have its place in line. */
const SLOW_MS = 1_000;

/** The same fetcher with at most `open` requests at once; further ones wait in line. Slow ones do not count for long. */
export function limitFetcher(fetcher: Fetcher, open: number, slowMs = SLOW_MS): Fetcher {
  let free = open;
  const line: (() => void)[] = [];
  return {
    async fetch(request) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => line.push(resolve));
      let held = true;
      const leave = () => {
        if (!held) return;
        held = false;
        const next = line.shift();
        if (next === undefined) free++;
        else next();
      };
      const slow = setTimeout(leave, slowMs);
      try {
        return await fetcher.fetch(request);
      } finally {
        clearTimeout(slow);
        leave();
      }
    },
    [Symbol.asyncDispose]: () => fetcher[Symbol.asyncDispose](),
  };
}
