import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listSessionViews, SESSION_SORTS } from '../../db/access/logins.ts';
import { NOBODY } from '../access/caller.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import type { Session } from './session.ts';

export const ListSessionsInput = ListQuery.extend(sortBy(SESSION_SORTS));

/** Empty for a caller who is no person. */
export const listSessions = (
  app: App,
  userId: string | undefined,
  input: z.output<typeof ListSessionsInput>,
  currentId: string | undefined,
): Promise<ListPage<Session>> =>
  readList(app.database, listSessionViews(userId ?? NOBODY), SESSION_SORTS, input, (row) => ({
    ...row,
    current: row.id === currentId,
  }));
