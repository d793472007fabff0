import type { App } from '../../app.ts';
import { deleteCollectionRow, outboxCollection } from '../../db/organise/collections.ts';
import { bumpGeneration } from '../../db/search/index-state.ts';
import { found } from '../found.ts';

/** Its documents stay, without a collection. */
export async function deleteCollection(app: App, id: string): Promise<void> {
  await app.database.transaction(async (tx) => {
    await outboxCollection(tx, id);
    found(await deleteCollectionRow(tx, id), 'collection', id);
    await bumpGeneration(tx);
  });
}
