import type { Sql } from '../../ports/database.ts';

export interface SessionRow {
  user_id: string;
  email: string;
  role: 'user' | 'admin';
  must_change_password: boolean;
  expires_at: Date;
}

export async function insertSession(
  sql: Sql,
  session: {
    tokenHash: Buffer;
    userId: string;
    ttlS: number;
    ip: string | undefined;
    userAgent: string | undefined;
  },
): Promise<void> {
  await sql.query(
    `INSERT INTO sessions (token_hash, user_id, expires_at, ip, user_agent)
     VALUES ($1, $2, now() + make_interval(secs => $3), $4, $5)`,
    [session.tokenHash, session.userId, session.ttlS, session.ip, session.userAgent],
  );
}

/** The valid session of a user who may still log in. */
export async function findSession(sql: Sql, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const rows = await sql.query<SessionRow>(
    `SELECT s.user_id, u.email, u.role, u.must_change_password, s.expires_at
     FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.token_hash = $1 AND s.expires_at > now() AND u.is_active`,
    [tokenHash],
  );
  return rows[0];
}

export async function deleteSession(sql: Sql, tokenHash: Buffer): Promise<void> {
  await sql.query('DELETE FROM sessions WHERE token_hash = $1', [tokenHash]);
}

export async function deleteSessionsOfUser(sql: Sql, userId: string): Promise<void> {
  await sql.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
}
