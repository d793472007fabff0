import type { Sql } from '../../ports/database.ts';

export interface UserRow {
  id: string;
  email: string;
  password_hash: string;
  role: 'user' | 'admin';
  must_change_password: boolean;
  is_active: boolean;
}

const COLUMNS = 'id, email, password_hash, role, must_change_password, is_active';

export async function findUserByEmail(sql: Sql, email: string): Promise<UserRow | undefined> {
  return (await sql.query<UserRow>(`SELECT ${COLUMNS} FROM users WHERE lower(email) = lower($1)`, [email]))[0];
}

export async function findUser(sql: Sql, id: string): Promise<UserRow | undefined> {
  return (await sql.query<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = $1`, [id]))[0];
}

/** The oldest admin, if any. */
export async function findFirstAdmin(sql: Sql): Promise<UserRow | undefined> {
  return (
    await sql.query<UserRow>(`SELECT ${COLUMNS} FROM users WHERE role = 'admin' AND is_active ORDER BY id LIMIT 1`)
  )[0];
}

/** Makes the first user of an empty table; does nothing when there is one already, even if two processes try. */
export async function insertFirstUser(
  sql: Sql,
  user: { id: string; email: string; passwordHash: string },
): Promise<boolean> {
  const rows = await sql.query<{ id: string }>(
    `INSERT INTO users (id, email, password_hash, role, must_change_password)
     SELECT $1, $2, $3, 'admin', true WHERE NOT EXISTS (SELECT FROM users)
     ON CONFLICT DO NOTHING RETURNING id`,
    [user.id, user.email, user.passwordHash],
  );
  return rows.length === 1;
}

export async function markLogin(sql: Sql, userId: string): Promise<void> {
  await sql.query('UPDATE users SET last_login_at = now() WHERE id = $1', [userId]);
}

export async function updatePassword(sql: Sql, userId: string, passwordHash: string): Promise<void> {
  await sql.query(
    'UPDATE users SET password_hash = $2, must_change_password = false, updated_at = now() WHERE id = $1',
    [userId, passwordHash],
  );
}
