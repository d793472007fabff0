import type { App } from '../../app.ts';
import { deleteTagRow, outboxTag } from '../../db/organise/tags.ts';
import { bumpGeneration } from '../../db/search/index-state.ts';
import { found } from '../found.ts';

/** Its documents stay, without the tag. */
export async function deleteTag(app: App, id: string): Promise<void> {
  await app.database.transaction(async (tx) => {
    await outboxTag(tx, id);
    found((await deleteTagRow(tx, id)) || undefined, 'tag', id);
    await bumpGeneration(tx);
  });
}
