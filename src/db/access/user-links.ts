import type { Sql } from '../../ports/database.ts';

export type LinkPurpose = 'invite' | 'reset';

/** The link of a person; one that was there before stops working. Returns when it expires. */
export async function writeUserLink(
  sql: Sql,
  link: { userId: string; tokenHash: Buffer; purpose: LinkPurpose; ttlS: number },
): Promise<Date> {
  const rows = await sql.query<{ expires_at: Date }>(
    `INSERT INTO user_links (user_id, token_hash, purpose, expires_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4))
     ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, purpose = excluded.purpose,
       created_at = now(), expires_at = excluded.expires_at
     RETURNING expires_at`,
    [link.userId, link.tokenHash, link.purpose, link.ttlS],
  );
  return rows[0]!.expires_at;
}

/** Whom a link that works is for. */
export async function findUserOfLink(sql: Sql, tokenHash: Buffer): Promise<string | undefined> {
  const rows = await sql.query<{ user_id: string }>(
    'SELECT user_id FROM user_links WHERE token_hash = $1 AND expires_at > now()',
    [tokenHash],
  );
  return rows[0]?.user_id;
}

/** True for the one caller that removed a link that works. */
export async function takeUserLink(sql: Sql, tokenHash: Buffer): Promise<boolean> {
  const rows = await sql.query(
    'DELETE FROM user_links WHERE token_hash = $1 AND expires_at > now() RETURNING user_id',
    [tokenHash],
  );
  return rows.length === 1;
}

export async function deleteUserLink(sql: Sql, userId: string): Promise<void> {
  await sql.query('DELETE FROM user_links WHERE user_id = $1', [userId]);
}
