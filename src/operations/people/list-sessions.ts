import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listSessionViews } from '../../db/access/logins.ts';
import { decodeIdCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
import type { Session } from './session.ts';

/** Empty for a caller who is no person. */
export async function listSessions(
  app: App,
  userId: string | undefined,
  input: z.output<typeof ListQuery>,
  currentId: string | undefined,
): Promise<ListPage<Session>> {
  const beforeId = decodeIdCursor(input.cursor);
  const rows = userId === undefined ? [] : await listSessionViews(app.database, userId, input.limit + 1, beforeId);
  return toListPage(
    rows,
    input.limit,
    (row) => [row.id],
    (row) => ({ ...row, current: row.id === currentId }),
  );
}
