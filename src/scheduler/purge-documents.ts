import type { App } from '../app.ts';
import { purgeDocuments } from '../db/documents/documents.ts';
import { queueDocuments } from '../db/search/outbox.ts';

const BATCH = 500;

/** Removes for good what was deleted longer ago than retention says; their removal from the index is requested once more, to be sure. */
export async function purgeDeletedDocuments(app: Pick<App, 'database' | 'settings'>): Promise<number> {
  let total = 0;
  while (true) {
    const purged = await app.database.transaction(async (tx) => {
      const ids = await purgeDocuments(tx, app.settings.retention.deletedDocumentsD, BATCH);
      await queueDocuments(tx, ids, { action: 'delete', priority: 9 });
      return ids.length;
    });
    total += purged;
    if (purged < BATCH) return total;
  }
}
