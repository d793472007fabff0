import { LRUCache } from 'lru-cache';
import type { Cache } from '../../ports/cache.ts';
import { asEngine, type Bare } from '../as-engine.ts';

interface MemoryCacheOptions {
  maxMb: number;
  /** Milliseconds that only ever grow; tests bring their own. */
  now?: () => number;
}

interface Window {
  count: number;
  until: number;
}

/** What an entry costs beside its bytes: the key, the bookkeeping of the list, the buffer's own header. */
const ENTRY_BYTES = 200;
const MAX_WINDOWS = 50_000;
const LOCKS_SWEPT_ABOVE = 1_000;

/** Led by the time of day, so that tokens go on growing when the process starts again. */
let lastToken = 0;
const nextToken = () => {
  lastToken = Math.max(lastToken + 1, Date.now() * 1_000);
  return lastToken;
};

/** Cache of one process: least recently used entries leave first, expired ones are never seen. */
export function createMemoryCache({ maxMb, now = () => performance.now() }: MemoryCacheOptions): Cache {
  const entries = new LRUCache<string, Uint8Array>({
    maxSize: Math.max(1, maxMb * 1024 * 1024),
    sizeCalculation: (value, key) => value.length + key.length * 2 + ENTRY_BYTES,
    ttlResolution: 0,
    perf: { now },
  });
  const windows = new LRUCache<string, Window>({ max: MAX_WINDOWS });
  const locks = new Map<string, { until: number }>();
  let hits = 0;
  let misses = 0;

  const cache: Bare<Cache> = {
    shared: false,
    async get(key) {
      const value = entries.get(key);
      if (value === undefined) misses++;
      else hits++;
      return value?.slice();
    },
    async set(key, value, ttlMs) {
      // A copy: callers may pass a view of a pooled buffer and write to it afterwards.
      if (ttlMs > 0) entries.set(key, new Uint8Array(value), { ttl: ttlMs });
      else entries.delete(key);
    },
    async delete(keys) {
      for (const key of keys) {
        entries.delete(key);
        windows.delete(key);
      }
    },
    async deletePrefix(prefix) {
      let removed = 0;
      for (const held of [entries, windows])
        for (const key of [...held.keys()]) if (key.startsWith(prefix) && held.delete(key)) removed++;
      return removed;
    },
    async increment(key, by, windowMs) {
      const window = windows.get(key);
      if (window === undefined || window.until <= now()) {
        windows.set(key, { count: by, until: now() + windowMs });
        return by;
      }
      window.count += by;
      return window.count;
    },
    async lock(key, ttlMs) {
      const holder = locks.get(key);
      if (holder !== undefined && holder.until > now()) return undefined;
      if (locks.size > LOCKS_SWEPT_ABOVE) for (const [name, { until }] of locks) if (until <= now()) locks.delete(name);
      const mine = { until: now() + ttlMs };
      locks.set(key, mine);
      return {
        token: nextToken(),
        async [Symbol.asyncDispose]() {
          // Another holder may have it: ours may have run out in the meantime.
          if (locks.get(key) === mine) locks.delete(key);
        },
      };
    },
    async stats() {
      return { entries: entries.size, bytes: entries.calculatedSize, hits, misses };
    },
    async [Symbol.asyncDispose]() {
      entries.clear();
      windows.clear();
      locks.clear();
    },
  };
  return asEngine('memory', cache, async () => ({
    detail: `${entries.size} entries in this process, ${Math.round(entries.calculatedSize / 1e5) / 10} of ${maxMb} MB`,
  }));
}
