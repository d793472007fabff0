import type { Counters } from './counters.ts';
import type { Engine } from './engine.ts';

/** A lock that is held. Disposing of it frees it, unless its time ran out and another holder has it. */
export interface Lock extends AsyncDisposable {
  readonly token: number;
}

/**
 * Fast, and `shared` between processes or one process's own. All entries may vanish at any moment: that costs time, never
 * data.
 *
 * Contract:
 * - `get` of an absent or expired key is undefined. Values are bytes; callers choose the encoding.
 * - `increment` counts as `Counters` says; `delete` forgets entries and counts.
 * - `lock` gives a handle to one holder at a time, or undefined at once; it frees itself after `ttlMs`. Its token is larger
 *   than that of every earlier holder of the key, also of one that held it before the cache was wiped: a store that keeps
 *   the largest token it has seen can refuse the late write of a holder whose lease expired.
 */
export interface Cache extends Counters, Engine, AsyncDisposable {
  get(key: string): Promise<Uint8Array | undefined>;
  set(key: string, value: Uint8Array, ttlMs: number): Promise<void>;
  /** Removes every key that starts with the prefix; returns how many. */
  deletePrefix(prefix: string): Promise<number>;
  lock(key: string, ttlMs: number): Promise<Lock | undefined>;
  /** Entries and bytes held, and hits and misses since start, as far as the engine reports them. */
  stats?(): Promise<{ entries: number; bytes: number; hits: number; misses: number }>;
}
