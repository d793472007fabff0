import type { App } from '../../app.ts';
import { deleteSessionOfUser, deleteSessionsOfUser } from '../../db/access/logins.ts';
import { found } from '../found.ts';

/** Ends one session of a person; its streams end at their next heartbeat. */
export async function endSession(app: App, userId: string, id: string): Promise<void> {
  found(
    await deleteSessionOfUser(app.database, userId, id),
    'session',
    id,
    'List them first: it may have ended already.',
  );
}

/** Ends all sessions of a person but one. */
export async function endSessions(app: App, userId: string, exceptId?: string): Promise<{ deleted: number }> {
  return { deleted: await deleteSessionsOfUser(app.database, userId, exceptId) };
}
