import { AppError } from '../errors.ts';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** Turns a clash with what is there already into CONFLICT, and a reference to nothing into NOT_FOUND. */
export async function orConflict<T>(work: Promise<T>, taken: string, missing = taken): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const state = error instanceof AppError ? error.details?.sqlstate : undefined;
    if (state === UNIQUE_VIOLATION)
      throw new AppError('CONFLICT', taken, { cause: error, hint: 'Choose another name.' });
    if (state === FOREIGN_KEY_VIOLATION)
      throw new AppError('NOT_FOUND', missing, { cause: error, hint: 'Check the ids this request names.' });
    throw error;
  }
}
