import type { z } from 'zod';
import type { App } from '../../app.ts';
import { COLLECTION_SORTS, listCollectionRows } from '../../db/organise/collections.ts';
import type { Binding } from '../access/binding.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import type { Collection } from './collection.ts';

export const ListCollectionsInput = ListQuery.extend(sortBy(COLLECTION_SORTS));

export const listCollections = (
  app: App,
  input: z.output<typeof ListCollectionsInput>,
  within?: Binding,
): Promise<ListPage<Collection>> =>
  readList(app.database, listCollectionRows(within), COLLECTION_SORTS, input, (row) => row);
