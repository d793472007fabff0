import { z } from 'zod';
import type { App } from '../../app.ts';
import { listUserViews, USER_SORTS } from '../../db/access/user-views.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { RoleInput, type User } from './user.ts';

export const ListUsersInput = ListQuery.extend({
  ...sortBy(USER_SORTS),
  role: RoleInput.optional(),
  active: z.stringbool().optional(),
  email: z.string().max(254).optional().describe('The whole address, in any case.'),
});

export function listUsers(app: App, input: z.output<typeof ListUsersInput>): Promise<ListPage<User>> {
  const { role, active, email } = input;
  return readList(app.database, listUserViews({ role, active, email }), USER_SORTS, input, (row) => row);
}
