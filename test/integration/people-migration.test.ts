import assert from 'node:assert/strict';
import { it } from 'node:test';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { newId } from '../../src/ids.ts';
import { createTestDatabase } from '../support/database.ts';

it('people and sessions of the first schema stay, as viewers and with ids of their own', async () => {
  await using database = await createTestDatabase({ migrated: false });
  const [first] = readMigrations();
  await migrate(database, [first!]);
  const [reader, admin] = [newId(), newId()];
  await database.query(
    `INSERT INTO users (id, email, password_hash, role) VALUES ($1, 'r@x.y', 'h', 'user'), ($2, 'a@x.y', 'h', 'admin')`,
    [reader, admin],
  );
  await database.query(
    `INSERT INTO sessions (token_hash, user_id, expires_at) VALUES ('one', $1, now() + interval '1 h'), ('two', $1, now() + interval '1 h')`,
    [reader],
  );
  await migrate(database);
  const roles = await database.query<{ role: string }>('SELECT role FROM users ORDER BY email DESC');
  assert.deepEqual(
    roles.map(({ role }) => role),
    ['viewer', 'admin'],
  );
  assert.deepEqual(await database.query('SELECT count(DISTINCT id) AS ids FROM sessions'), [{ ids: 2 }]);
  await assert.rejects(database.query(`UPDATE users SET role = 'user'`));
});
