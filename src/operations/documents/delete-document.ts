import type { App } from '../../app.ts';
import { softDeleteDocuments, undeleteDocuments } from '../../db/documents/documents.ts';
import { bumpGeneration } from '../../db/search/index-state.ts';
import { queueDocuments } from '../../db/search/outbox.ts';
import type { Document } from './document.ts';
import { getDocument } from './get-document.ts';

/** Gone from every search at once; it can be restored until retention removes it for good. Idempotent. */
export async function deleteDocument(app: Pick<App, 'database'>, id: string): Promise<void> {
  await getDocument(app, id);
  await app.database.transaction(async (tx) => {
    const deleted = await softDeleteDocuments(tx, [id]);
    await queueDocuments(tx, deleted, { action: 'delete', priority: 2 });
    if (deleted.length > 0) await bumpGeneration(tx);
  });
}

export async function restoreDocument(app: Pick<App, 'database'>, id: string): Promise<Document> {
  await getDocument(app, id);
  await app.database.transaction(async (tx) => {
    await queueDocuments(tx, await undeleteDocuments(tx, [id]), { priority: 2 });
  });
  const { content: _, chunks: __, ...document } = await getDocument(app, id);
  return document;
}
