import { z } from 'zod';
import type { App } from '../../app.ts';
import { listSourceRows, SOURCE_SORTS } from '../../db/sources/sources.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import { Id } from '../schemas.ts';
import { type Source, toSource } from './source.ts';

export const ListSourcesInput = ListQuery.extend({
  ...sortBy(SOURCE_SORTS),
  active: z.stringbool().optional(),
  collection_id: Id.optional(),
  query: z.string().trim().toLowerCase().min(1).max(200).optional().describe('Part of the name or address.'),
});

export async function listSources(app: App, input: z.output<typeof ListSourcesInput>): Promise<ListPage<Source>> {
  const { active, collection_id: collectionId, query } = input;
  return readList(app.database, listSourceRows({ active, collectionId, query }), SOURCE_SORTS, input, toSource);
}
