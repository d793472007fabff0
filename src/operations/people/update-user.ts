import { z } from 'zod';
import type { App } from '../../app.ts';
import { deleteSessionsOfUser } from '../../db/access/logins.ts';
import { deleteUserLink } from '../../db/access/user-links.ts';
import { findUserView } from '../../db/access/user-views.ts';
import { lockUser, updateUserRow } from '../../db/access/users.ts';
import { orConflict } from '../../db/unique.ts';
import { found } from '../found.ts';
import { NO_SUCH_PERSON } from './get-user.ts';
import { keepAnAdmin } from './keep-an-admin.ts';
import { Email, RoleInput, type User } from './user.ts';

export const UpdateUserInput = z.strictObject({
  email: Email.optional(),
  role: RoleInput.optional().describe('Holds from the next request on, for open sessions too.'),
  is_active: z.boolean().optional().describe('False ends all sessions at once, and keys of the person stop working.'),
});

export function updateUser(app: App, id: string, input: z.output<typeof UpdateUserInput>): Promise<User> {
  return app.database.transaction(async (tx) => {
    const givesUp = input.is_active === false || (input.role !== undefined && input.role !== 'admin');
    if (givesUp) await keepAnAdmin(tx, id);
    const user = found(await lockUser(tx, id), 'person', id, NO_SUCH_PERSON);
    const { email = user.email, role = user.role, is_active: isActive = user.is_active } = input;
    await orConflict(updateUserRow(tx, id, { email, role, isActive }), `the address ${email} belongs to somebody else`);
    if (!isActive) {
      await deleteSessionsOfUser(tx, id);
      await deleteUserLink(tx, id);
    }
    return (await findUserView(tx, id))!;
  });
}
