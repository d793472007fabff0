import { z } from 'zod';
import type { App } from '../../app.ts';
import { listUserViews } from '../../db/access/user-views.ts';
import { decodeIdCursor, type ListPage, ListQuery, toListPage } from '../paging.ts';
import { RoleInput, type User } from './user.ts';

export const ListUsersInput = ListQuery.extend({
  role: RoleInput.optional(),
  active: z.stringbool().optional(),
  email: z.string().max(254).optional().describe('The whole address, in any case.'),
});

export async function listUsers(app: App, input: z.output<typeof ListUsersInput>): Promise<ListPage<User>> {
  const rows = await listUserViews(app.database, {
    limit: input.limit + 1,
    beforeId: decodeIdCursor(input.cursor),
    role: input.role,
    active: input.active,
    email: input.email,
  });
  return toListPage(
    rows,
    input.limit,
    (row) => [row.id],
    (row) => row,
  );
}
