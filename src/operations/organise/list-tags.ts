import type { z } from 'zod';
import type { App } from '../../app.ts';
import { listTagRows, TAG_SORTS } from '../../db/organise/tags.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import type { Tag } from './tag.ts';

export const ListTagsInput = ListQuery.extend(sortBy(TAG_SORTS));

export const listTags = (app: App, input: z.output<typeof ListTagsInput>): Promise<ListPage<Tag>> =>
  readList(app.database, listTagRows(), TAG_SORTS, input, (row) => row);
