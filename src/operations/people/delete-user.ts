import type { App } from '../../app.ts';
import { deleteUserRow, lockUser } from '../../db/access/users.ts';
import { found } from '../found.ts';
import { NO_SUCH_PERSON } from './get-user.ts';
import { keepAnAdmin } from './keep-an-admin.ts';

/** Sessions, links and keys of the person go with it. */
export function deleteUser(app: App, id: string): Promise<void> {
  return app.database.transaction(async (tx) => {
    await keepAnAdmin(tx, id);
    found(await lockUser(tx, id), 'person', id, NO_SUCH_PERSON);
    await deleteUserRow(tx, id);
  });
}
