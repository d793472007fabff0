import type { Engine } from './engine.ts';

/** Runs one SQL statement. Values are bound, never spliced into the text. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** One connection, from BEGIN to COMMIT. */
export type Transaction = Sql;

/**
 * PostgreSQL 15 or newer. Everything that must not be lost is here and nowhere else.
 *
 * Contract:
 * - `transaction` commits when `work` resolves and rolls back when it rejects; the rejection reaches the caller.
 * - A statement or transaction that the server ends for a conflict with another one (SQLSTATE 40001, 40P01) is run again
 *   after 100, 200 and 400 ms, then rejects with DATABASE_CONFLICT (retryable). So `work` may run more than once, and does
 *   nothing that a rollback does not undo.
 * - A statement on a server that does not answer rejects with AppError DATABASE_DOWN (retryable); a full disk with
 *   DISK_FULL. Other failures keep the server's own error as `cause` and its SQLSTATE in `details.sqlstate`.
 * - `listen` delivers notices sent after it resolved. A notice may be lost when the connection drops (it is made again
 *   by itself), so a listener also polls.
 * - Integers of type int8 and numeric come back as numbers, timestamptz as Date, bytea as Buffer, jsonb parsed.
 */
export interface Database extends Transaction, Engine, AsyncDisposable {
  /** A connection string other processes on this machine can use. */
  readonly url: string;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  listen(channel: string, onNotice: (payload: string) => void): Promise<AsyncDisposable>;
}
