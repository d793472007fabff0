import type { Sql } from '../../ports/database.ts';
import { type Listing, newestFirst } from '../listing.ts';
import type { Role } from './users.ts';

/** A session ends this long after its last use, and this long after the log-in at the latest. */
const IDLE = `interval '24 hours'`;
const LONGEST = `interval '30 days'`;

export interface SessionRow {
  id: string;
  last_seen_at: Date;
  user_id: string;
  email: string;
  role: Role;
  must_change_password: boolean;
  expires_at: Date;
}

export async function insertSession(
  sql: Sql,
  session: { id: string; tokenHash: Buffer; userId: string; ip: string | undefined; userAgent: string | undefined },
): Promise<void> {
  await sql.query(
    `INSERT INTO sessions (id, token_hash, user_id, expires_at, ip, user_agent)
     VALUES ($1, $2, $3, now() + ${IDLE}, $4, $5)`,
    [session.id, session.tokenHash, session.userId, session.ip, session.userAgent],
  );
}

/** The valid session of a user who may still log in. */
export async function findSession(sql: Sql, tokenHash: Buffer): Promise<SessionRow | undefined> {
  const rows = await sql.query<SessionRow>(
    `SELECT s.id, s.last_seen_at, s.user_id, u.email, u.role, u.must_change_password, s.expires_at
     FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.token_hash = $1 AND s.expires_at > now() AND u.is_active`,
    [tokenHash],
  );
  return rows[0];
}

/**
 * Uses come in batches: one write for many requests. A session that has ended meanwhile stays ended, and a later use is never
 * replaced by an earlier one.
 */
export async function renewSessions(sql: Sql, uses: ReadonlyMap<string, Date>): Promise<void> {
  await sql.query(
    `UPDATE sessions s SET last_seen_at = u.at, expires_at = least(u.at + ${IDLE}, s.created_at + ${LONGEST})
     FROM unnest($1::uuid[], $2::timestamptz[]) AS u (id, at)
     WHERE s.id = u.id AND s.expires_at > now() AND s.last_seen_at < u.at`,
    [[...uses.keys()], [...uses.values()]],
  );
}

export async function deleteSession(sql: Sql, tokenHash: Buffer): Promise<void> {
  await sql.query('DELETE FROM sessions WHERE token_hash = $1', [tokenHash]);
}

/** Of this person alone. */
export async function deleteSessionOfUser(sql: Sql, userId: string, id: string): Promise<boolean> {
  return (
    (await sql.query('DELETE FROM sessions WHERE user_id = $1 AND id = $2 RETURNING id', [userId, id])).length === 1
  );
}

/** Returns how many ended; `exceptId` is left. */
export async function deleteSessionsOfUser(sql: Sql, userId: string, exceptId?: string): Promise<number> {
  const rows = await sql.query(
    'DELETE FROM sessions WHERE user_id = $1 AND ($2::uuid IS NULL OR id <> $2) RETURNING id',
    [userId, exceptId ?? null],
  );
  return rows.length;
}

export interface SessionView {
  id: string;
  ip: string | null;
  user_agent: string | null;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
}

export const SESSION_SORTS = { created: newestFirst() };

export const listSessionViews = (userId: string): Listing<SessionView> => ({
  columns: 'id, ip, user_agent, created_at, last_seen_at, expires_at',
  from: 'sessions',
  filters: [['user_id = ?', userId], ['expires_at > now()']],
});
