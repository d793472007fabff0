import { z } from 'zod';
import type { App } from '../../app.ts';
import { findFirstAdmin } from '../../db/access/users.ts';
import { takeFact } from '../../db/admin/installation.ts';
import { AppError } from '../../errors.ts';
import { LINK, LINK_TTL_S } from './create-login-link.ts';
import { type SessionHalves, type SessionOrigin, startSession } from './start-session.ts';
import { hashToken } from './tokens.ts';

export const LoginLinkInput = z.strictObject({ token: z.string().min(1).max(100) });

export async function useLoginLink(app: App, token: string, origin: SessionOrigin): Promise<SessionHalves> {
  const known = await takeFact(app.database, LINK + hashToken(token).toString('hex'), LINK_TTL_S);
  const admin = known === undefined ? undefined : await findFirstAdmin(app.database);
  if (admin === undefined)
    throw new AppError('AUTH_REQUIRED', 'this login link was used before or has expired', {
      hint: 'Log in with email and password, or get a new link with: crawl4r keys login-link.',
    });
  return startSession(app, admin.id, origin);
}
