import { createPostgresDatabase } from '../../../src/drivers/database/postgres.ts';
import type { Database } from '../../../src/ports/database.ts';
import { createTestDatabase } from '../../support/database.ts';

/** Each `open` stands for a process of its own on the same server, with connections of its own. */
export async function createProcesses<Driver>(
  make: (database: Database) => Driver,
): Promise<{ open(): Promise<Driver> } & AsyncDisposable> {
  const database = await createTestDatabase({ migrated: false });
  const others: AsyncDisposable[] = [];
  return {
    async open() {
      const own = await createPostgresDatabase({ url: database.url, poolSize: 2 });
      others.push(own);
      return make(own);
    },
    async [Symbol.asyncDispose]() {
      for (const own of others) await own[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
