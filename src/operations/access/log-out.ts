import type { App } from '../../app.ts';
import { deleteSession } from '../../db/access/logins.ts';
import { hashToken } from './tokens.ts';

/** Ends the session of these halves; one that has ended already is fine. */
export async function logOut(app: App, session: string): Promise<void> {
  await deleteSession(app.database, hashToken(session));
}
