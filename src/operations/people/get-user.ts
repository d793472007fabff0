import type { App } from '../../app.ts';
import { findUserView } from '../../db/access/user-views.ts';
import { found } from '../found.ts';
import type { User } from './user.ts';

export const NO_SUCH_PERSON = 'List them with GET /api/v1/users.';

export const getUser = async (app: App, id: string): Promise<User> =>
  found(await findUserView(app.database, id), 'person', id, NO_SUCH_PERSON);
