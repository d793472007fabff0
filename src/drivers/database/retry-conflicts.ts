import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../errors.ts';

/** Between one try and the next. */
const PAUSES_MS = [100, 200, 400];

/**
 * Deadlocks and serialization failures: the server rolls one of the transactions back, and it is
 * safe to run that one again.
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (const ms of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'DATABASE_CONFLICT') throw error;
      await pause(ms);
    }
  }
  return work();
}
