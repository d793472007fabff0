import type { App } from '../../app.ts';
import { lockUser } from '../../db/access/users.ts';
import { AppError } from '../../errors.ts';
import { found } from '../found.ts';
import { NO_SUCH_PERSON } from './get-user.ts';
import type { PasswordLink } from './user.ts';
import { writeLink } from './write-link.ts';

/** A new invite for a person who has no password yet; the one before stops working. */
export function inviteUser(app: App, id: string): Promise<PasswordLink> {
  return app.database.transaction(async (tx) => {
    const user = found(await lockUser(tx, id), 'person', id, NO_SUCH_PERSON);
    if (!user.is_active)
      throw new AppError('STATE_CONFLICT', `${user.email} is not active`, { hint: 'Set is_active to true first.' });
    if (user.password_hash !== null)
      throw new AppError('STATE_CONFLICT', `${user.email} has a password already`, {
        hint: 'POST /api/v1/users/{id}/reset-password gives a link to choose another.',
      });
    return writeLink(tx, id, 'invite');
  });
}
