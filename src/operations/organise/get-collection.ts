import { z } from 'zod';
import type { App } from '../../app.ts';
import { findCollection } from '../../db/organise/collections.ts';
import { found } from '../found.ts';
import { Collection } from './collection.ts';

export const CollectionDetail = Collection.extend({ documents: z.number().int() }).meta({ id: 'CollectionDetail' });

export async function getCollection(app: App, id: string): Promise<z.output<typeof CollectionDetail>> {
  return found(await findCollection(app.database, id), 'collection', id);
}
