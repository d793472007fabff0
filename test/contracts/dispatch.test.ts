import { createPostgresDatabase } from '../../src/drivers/database/postgres.ts';
import { createPostgresDispatch } from '../../src/drivers/dispatch/postgres.ts';
import { createTestDatabase } from '../support/database.ts';
import { testDispatch } from './dispatch.contract.ts';

testDispatch('postgres', async () => {
  const database = await createTestDatabase({ migrated: false });
  const others: AsyncDisposable[] = [];
  return {
    async open() {
      // Each stands for a process of its own, with connections of its own.
      const own = await createPostgresDatabase({ url: database.url, poolSize: 2 });
      others.push(own);
      return createPostgresDispatch({ database: own });
    },
    async [Symbol.asyncDispose]() {
      for (const own of others) await own[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
});
