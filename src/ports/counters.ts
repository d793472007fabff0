/**
 * Counts within windows of time: rates of callers, tries to log in.
 *
 * Contract:
 * - `increment` counts within a window that starts at the first call for the key and lasts `windowMs`; it returns the count
 *   after adding. Calls at the same time are each counted, none twice.
 * - `delete` forgets the counts of these keys.
 * - `shared` says whether other processes count with the same numbers. A limit that has to hold over all of them needs
 *   counters that are.
 */
export interface Counters {
  readonly shared: boolean;
  increment(key: string, by: number, windowMs: number): Promise<number>;
  delete(keys: readonly string[]): Promise<void>;
}
