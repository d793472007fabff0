import type { App } from '../../app.ts';
import { deleteFacts, writeFact } from '../../db/admin/installation.ts';
import { hashToken, newToken } from './tokens.ts';

export const LINK = 'login_link:';
export const LINK_TTL_S = 60 * 60;

/**
 * A path that logs the first admin in once, within the hour. Only the newest link works. The token stands behind a #, so
 * that no request line, log or proxy ever holds it; the page sends it in a POST.
 */
export async function createLoginLink(app: App): Promise<string> {
  const token = newToken();
  await app.database.transaction(async (tx) => {
    await deleteFacts(tx, LINK);
    await writeFact(tx, LINK + hashToken(token).toString('hex'), {});
  });
  return `/login#token=${token}`;
}
