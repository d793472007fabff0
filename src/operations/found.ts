import { AppError } from '../errors.ts';

/** The row, or NOT_FOUND in words. */
export function found<Row>(row: Row | undefined, what: string, name: string, hint?: string): Row {
  if (row === undefined || row === false)
    throw new AppError('NOT_FOUND', `there is no ${what} ${name}`, hint === undefined ? {} : { hint });
  return row;
}
