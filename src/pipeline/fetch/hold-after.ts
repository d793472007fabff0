import type { Fetcher } from '../../ports/fetcher.ts';
import { parseUrl } from '../../web/url.ts';

/** The same fetcher; after each answer, or failure, `hold` closes the domain for its delay. */
export function holdAfter(fetcher: Fetcher, hold: (domain: string) => Promise<void>): Fetcher {
  return {
    async fetch(request) {
      try {
        return await fetcher.fetch(request);
      } finally {
        const parsed = parseUrl(request.url);
        if (parsed.ok) await hold(parsed.domain);
      }
    },
    [Symbol.asyncDispose]: () => fetcher[Symbol.asyncDispose](),
  };
}
