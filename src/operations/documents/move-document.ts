import { z } from 'zod';
import type { App } from '../../app.ts';
import { moveDocuments } from '../../db/documents/documents.ts';
import { findCollection } from '../../db/organise/collections.ts';
import { bumpGeneration } from '../../db/search/index-state.ts';
import { queueDocuments } from '../../db/search/outbox.ts';
import { AppError } from '../../errors.ts';
import { type Binding, chooseCollection } from '../access/binding.ts';
import { found } from '../found.ts';
import type { Document } from './document.ts';
import { getDocument } from './get-document.ts';

export const MoveDocumentInput = z.strictObject({
  collection_id: z.uuid().nullable().describe('Null takes it out of its collection.'),
});

export async function moveDocument(
  app: App,
  id: string,
  input: z.output<typeof MoveDocumentInput>,
  within?: Binding,
): Promise<Document> {
  const { collection_id: target } = input;
  if (within !== undefined && target === null)
    throw new AppError('FORBIDDEN', 'a bound key cannot take a document out of its collections', {
      hint: 'Delete it, or move it to another collection of the key.',
    });
  chooseCollection(within, target);
  await getDocument(app, id);
  if (target !== null) found(await findCollection(app.database, target), 'collection', target);
  await app.database.transaction(async (tx) => {
    const moved = await moveDocuments(tx, [id], target);
    await queueDocuments(tx, moved, { priority: 2 });
    if (moved.length > 0) await bumpGeneration(tx);
  });
  const { content: _, chunks: __, ...document } = await getDocument(app, id);
  return document;
}
