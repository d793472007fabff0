import { z } from 'zod';
import type { App } from '../../app.ts';
import { findCollection } from '../../db/organise/collections.ts';
import { forgetVectors } from '../../db/search/chunks.ts';
import { queueDocuments, queueReindex } from '../../db/search/outbox.ts';
import { getDocument } from '../documents/get-document.ts';
import { found } from '../found.ts';

export const ReindexInput = z
  .strictObject({
    scope: z
      .enum(['all', 'collection', 'document', 'model'])
      .default('all')
      .describe('model: only what has no vector of the model in the settings.'),
    id: z.uuid().optional().describe('The collection or document.'),
    vectors: z.boolean().default(false).describe('Make vectors again too, even where the text is unchanged.'),
  })
  .refine((input) => (input.scope === 'document' || input.scope === 'collection') === (input.id !== undefined), {
    error: 'a document or collection is named by its id, and nothing else has one',
    path: ['id'],
  });

export const ReindexAnswer = z.object({ queued: z.number().int() }).meta({ id: 'ReindexAnswer' });

const BULK_PRIORITY = 8;

/** Plans the work; the indexer does it behind everything urgent, and searches go on meanwhile. */
export async function reindex(app: App, input: z.output<typeof ReindexInput>): Promise<z.output<typeof ReindexAnswer>> {
  const id = input.id ?? '';
  if (input.scope === 'document') {
    await getDocument(app, id);
    await app.database.transaction(async (tx) => {
      if (input.vectors) await forgetVectors(tx, { documentIds: [id] });
      await queueDocuments(tx, [id], { priority: 2 });
    });
    return { queued: 1 };
  }
  if (input.scope === 'collection') found(await findCollection(app.database, id), 'collection', id);
  return app.database.transaction(async (tx) => {
    const collectionId = input.scope === 'collection' ? id : undefined;
    if (input.vectors) await forgetVectors(tx, collectionId === undefined ? {} : { collectionId });
    const notOfModel = input.scope === 'model' ? app.embedder.model : undefined;
    return { queued: await queueReindex(tx, { collectionId, notOfModel }, BULK_PRIORITY) };
  });
}
