import type { Sql } from '../../ports/database.ts';

/** An account at an OpenID provider. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string | undefined;
}

/** The person this account belongs to, with the sign-in noted. */
export async function touchIdentity(sql: Sql, identity: Identity): Promise<string | undefined> {
  const rows = await sql.query<{ user_id: string }>(
    `UPDATE user_identities SET last_login_at = now(), email = coalesce($3, email)
     WHERE issuer = $1 AND subject = $2 RETURNING user_id`,
    [identity.issuer, identity.subject, identity.email ?? null],
  );
  return rows[0]?.user_id;
}

/** False when the person has another account at this provider already. */
export async function insertIdentity(sql: Sql, userId: string, identity: Identity): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO user_identities (issuer, subject, user_id, email) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING user_id`,
    [identity.issuer, identity.subject, userId, identity.email ?? null],
  );
  return rows.length === 1;
}
