import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Tables } from '../../db/tables.ts';
import { mapError } from './postgres-errors.ts';

/** A query builder on connections of ours, for filters that are put together as they go. Its errors are ours too. */
export function createBuilder(
  acquire: () => Promise<pg.PoolClient>,
  release: (client: pg.PoolClient, error: unknown) => void,
): Kysely<Tables> {
  const connect = async () => {
    const client = await acquire();
    let failure: unknown;
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        return await client.query(text, values as unknown[]);
      } catch (error) {
        failure = mapError(error);
        throw failure;
      }
    };
    return { query: query as never, release: () => release(client, failure) };
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {}, options: {} } }) });
}
