import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../errors.ts';

/** Between one try and the next. */
const PAUSES_MS = [100, 200, 400];

/**
 * Two transactions that wait for each other, or that cannot both have happened: the server ends one of them, and it does
 * no harm to do that one again, since nothing of it was kept.
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
