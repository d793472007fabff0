import type { Sql } from '../../ports/database.ts';
import type { Role } from './users.ts';

/** A person as lists show one: no hash is among the columns. */
export interface UserView {
  id: string;
  email: string;
  role: Role;
  is_active: boolean;
  has_password: boolean;
  has_provider: boolean;
  link_expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  last_login_at: Date | null;
}

const COLUMNS = `u.id, u.email, u.role, u.is_active, u.password_hash IS NOT NULL AS has_password,
  EXISTS (SELECT FROM user_identities i WHERE i.user_id = u.id) AS has_provider,
  (SELECT l.expires_at FROM user_links l WHERE l.user_id = u.id AND l.expires_at > now()) AS link_expires_at,
  u.created_at, u.updated_at, u.last_login_at`;

/** Newest first, before `beforeId`. */
export function listUserViews(
  sql: Sql,
  filter: {
    limit: number;
    beforeId: string | undefined;
    role: Role | undefined;
    active: boolean | undefined;
    email: string | undefined;
  },
): Promise<UserView[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM users u
     WHERE ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR role = $3)
       AND ($4::boolean IS NULL OR is_active = $4) AND ($5::text IS NULL OR lower(email) = lower($5))
     ORDER BY id DESC LIMIT $1`,
    [filter.limit, filter.beforeId ?? null, filter.role ?? null, filter.active ?? null, filter.email ?? null],
  );
}

export async function findUserView(sql: Sql, id: string): Promise<UserView | undefined> {
  return (await sql.query<UserView>(`SELECT ${COLUMNS} FROM users u WHERE id = $1`, [id]))[0];
}
