import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listSessionViews } from '../../db/access/logins.ts';
import { decodeIdCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
import type { Session } from './session.ts';

export async function listSessions(
  app: App,
  userId: string,
  input: z.output<typeof ListQuery>,
  currentId: string | undefined,
): Promise<ListPage<Session>> {
  const rows = await listSessionViews(app.database, userId, input.limit + 1, decodeIdCursor(input.cursor));
  return toListPage(
    rows,
    input.limit,
    (row) => [row.id],
    (row) => ({ ...row, current: row.id === currentId }),
  );
}
