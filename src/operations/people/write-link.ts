import { type LinkPurpose, writeUserLink } from '../../db/access/user-links.ts';
import type { Transaction } from '../../ports/database.ts';
import { hashToken, newToken } from '../access/tokens.ts';
import type { PasswordLink } from './user.ts';

const TTL_S: Record<LinkPurpose, number> = { invite: 7 * 24 * 60 * 60, reset: 60 * 60 };

/**
 * A link that lets one person choose a password, once. The token stands behind a #, so that no request line, log or proxy
 * ever holds it; only its hash is kept. A link the person had before stops working.
 */
export async function writeLink(tx: Transaction, userId: string, purpose: LinkPurpose): Promise<PasswordLink> {
  const token = newToken();
  const expiresAt = await writeUserLink(tx, { userId, tokenHash: hashToken(token), purpose, ttlS: TTL_S[purpose] });
  return { path: `/login#${purpose}=${token}`, expires_at: expiresAt };
}
