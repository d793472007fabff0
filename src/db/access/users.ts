import type { Sql, Transaction } from '../../ports/database.ts';

export type Role = 'viewer' | 'operator' | 'admin';

/** A person with the stored hash of the password; only log-in and password changes read it. */
export interface UserRow {
  id: string;
  email: string;
  /** Null: the person has no password, or none any more. */
  password_hash: string | null;
  role: Role;
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

/** Until the end of the transaction no other one changes this person. */
export async function lockUser(tx: Transaction, id: string): Promise<UserRow | undefined> {
  return (await tx.query<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = $1 FOR UPDATE`, [id]))[0];
}

/**
 * The active admins, and whether each can log in: with a password or an account at a provider. They are locked in the order
 * of their ids, so that changes to different admins come one after the other and never wait for each other in a circle.
 */
export function lockAdmins(tx: Transaction): Promise<{ id: string; able: boolean }[]> {
  return tx.query(
    `SELECT id, password_hash IS NOT NULL OR EXISTS (SELECT FROM user_identities i WHERE i.user_id = u.id) AS able
     FROM users u WHERE role = 'admin' AND is_active ORDER BY id FOR UPDATE`,
  );
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

/** A person without a password. */
export async function insertUser(sql: Sql, user: { id: string; email: string; role: Role }): Promise<void> {
  await sql.query('INSERT INTO users (id, email, role) VALUES ($1, $2, $3)', [user.id, user.email, user.role]);
}

export async function updateUserRow(
  sql: Sql,
  id: string,
  user: { email: string; role: Role; isActive: boolean },
): Promise<void> {
  await sql.query('UPDATE users SET email = $2, role = $3, is_active = $4, updated_at = now() WHERE id = $1', [
    id,
    user.email,
    user.role,
    user.isActive,
  ]);
}

export async function deleteUserRow(sql: Sql, id: string): Promise<void> {
  await sql.query('DELETE FROM users WHERE id = $1', [id]);
}

/**
 * False when the person may not log in any more. `passwordHash` is the one that was verified: a password that was changed
 * or reset meanwhile opens no session.
 */
export async function markLogin(tx: Transaction, userId: string, passwordHash: string | undefined): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE users SET last_login_at = now()
     WHERE id = $1 AND is_active AND ($2::text IS NULL OR password_hash = $2) RETURNING id`,
    [userId, passwordHash ?? null],
  );
  return rows.length === 1;
}

/** Null takes the password away. */
export async function updatePassword(sql: Sql, userId: string, passwordHash: string | null): Promise<void> {
  await sql.query(
    'UPDATE users SET password_hash = $2, must_change_password = false, updated_at = now() WHERE id = $1',
    [userId, passwordHash],
  );
}
