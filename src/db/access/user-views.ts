import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst, type Sorts } from '../listing.ts';
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

/** People are few: any order will do. */
export const USER_SORTS = {
  created: newestFirst('u.id'),
  email: {
    keys: [
      { sql: 'lower(u.email)', type: 'text' },
      { sql: 'u.id', type: 'uuid' },
    ],
    order: 'asc',
  },
} satisfies Sorts;

export const listUserViews = (filter: {
  role: Role | undefined;
  active: boolean | undefined;
  email: string | undefined;
}): Listing<UserView> => ({
  columns: COLUMNS,
  from: 'users u',
  filters: [
    ['u.role = ?', filter.role],
    ['u.is_active = ?', filter.active],
    ['lower(u.email) = lower(?)', filter.email],
  ],
});

export async function findUserView(sql: Sql, id: string): Promise<UserView | undefined> {
  return (await sql.query<UserView>(`SELECT ${COLUMNS} FROM users u WHERE id = $1`, [id]))[0];
}
