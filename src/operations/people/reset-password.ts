import type { App } from '../../app.ts';
import { deleteSessionsOfUser } from '../../db/access/logins.ts';
import { lockUser, updatePassword } from '../../db/access/users.ts';
import { AppError } from '../../errors.ts';
import { found } from '../found.ts';
import { NO_SUCH_PERSON } from './get-user.ts';
import type { PasswordLink } from './user.ts';
import { writeLink } from './write-link.ts';

/** Takes the password away and ends all sessions: from now on the link is the only way to a new password. */
export function resetPassword(app: App, id: string): Promise<PasswordLink> {
  return app.database.transaction(async (tx) => {
    const user = found(await lockUser(tx, id), 'person', id, NO_SUCH_PERSON);
    if (!user.is_active)
      throw new AppError('STATE_CONFLICT', `${user.email} is not active`, { hint: 'Set is_active to true first.' });
    await updatePassword(tx, id, null);
    await deleteSessionsOfUser(tx, id);
    return writeLink(tx, id, 'reset');
  });
}
