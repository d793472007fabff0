import { lookup, Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';
import { createGate } from '../../gate.ts';

/** Name → addresses. An empty list and a rejection both mean that the name cannot be used. */
export type Resolve = (hostname: string) => Promise<string[]>;

const MAX_NAMES = 20_000;
/** How long a failed lookup is remembered. */
const FAILURE_TTL_MS = 5_000;
/** Of the four threads the system's look-up shares with files and decompression. */
const LOOKUP_THREADS = 2;

/** Remembers answers for `ttlMs`; concurrent callers for the same name share one query. */
export function cacheResolve(resolve: Resolve, ttlMs: number): Resolve {
  const answers = new LRUCache<string, Promise<string[]>>({ max: MAX_NAMES });
  return (hostname) => {
    const known = answers.get(hostname);
    if (known !== undefined) return known;
    const asked = ask(resolve, hostname);
    answers.set(hostname, asked);
    const keepFor = (ms: number) => {
      if (answers.peek(hostname) !== asked) return;
      if (ms > 0) answers.set(hostname, asked, { ttl: ms });
      else answers.delete(hostname);
    };
    asked.then(
      () => keepFor(ttlMs),
      () => keepFor(Math.min(FAILURE_TTL_MS, ttlMs)),
    );
    return asked;
  };
}

async function ask(resolve: Resolve, hostname: string): Promise<string[]> {
  let addresses: string[];
  try {
    addresses = await resolve(hostname);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('DNS_FAILED', `${hostname} does not resolve`, { cause });
  }
  if (addresses.length === 0) throw new AppError('DNS_FAILED', `${hostname} has no address`);
  return addresses;
}

/**
 * Queries the name servers directly: the system's own lookup blocks a thread for as long as a dead name server takes. It
 * is used only when the servers find nothing, for names in the hosts file. IPv4 first; IPv6 when there is none.
 */
export function createResolve(): Resolve {
  const servers = new Resolver({ timeout: 2_000, tries: 2 });
  const lookups = createGate(LOOKUP_THREADS);
  return async (hostname) => {
    for (const family of ['resolve4', 'resolve6'] as const) {
      try {
        const addresses = await servers[family](hostname);
        if (addresses.length > 0) return addresses;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ETIMEOUT') throw error;
      }
    }
    const leave = await lookups.enter();
    try {
      const found = await lookup(hostname, { all: true, order: 'ipv4first' });
      return found.map(({ address }) => address);
    } finally {
      leave();
    }
  };
}
