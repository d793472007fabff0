import type { z } from 'zod';
import type { App } from '../../app.ts';
import { updateCollectionRow } from '../../db/organise/collections.ts';
import { orConflict } from '../../db/unique.ts';
import { found } from '../found.ts';
import type { Collection, CollectionInput } from './collection.ts';

export async function updateCollection(
  app: App,
  id: string,
  input: z.output<typeof CollectionInput>,
): Promise<Collection> {
  const row = await orConflict(
    updateCollectionRow(app.database, id, input),
    `a collection is called "${input.name}" already`,
  );
  return found(row, 'collection', id);
}
