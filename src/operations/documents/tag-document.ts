import { z } from 'zod';
import type { App } from '../../app.ts';
import { attachTags, detachTag, ensureTags } from '../../db/documents/document-tags.ts';
import { queueDocuments } from '../../db/search/outbox.ts';
import { newId } from '../../ids.ts';
import { found } from '../found.ts';
import type { Document } from './document.ts';
import { getDocument } from './get-document.ts';

export const TagNames = z.array(z.string().trim().toLowerCase().min(1).max(100)).max(100);
export const TagDocumentInput = z.strictObject({ tags: TagNames.min(1).describe('Names; unknown ones are made.') });

/** Filters look into the index, so a document whose tags changed is indexed again; its vectors stay. */
export async function tagDocument(app: App, id: string, input: z.output<typeof TagDocumentInput>): Promise<Document> {
  await getDocument(app, id);
  await app.database.transaction(async (tx) => {
    const tags = await ensureTags(
      tx,
      input.tags.map((name) => ({ id: newId(), name })),
    );
    const changed = await attachTags(
      tx,
      id,
      tags.map((tag) => tag.id),
    );
    if (changed) await queueDocuments(tx, [id], { priority: 2 });
  });
  const { content: _, chunks: __, ...document } = await getDocument(app, id);
  return document;
}

export async function untagDocument(app: App, id: string, tagId: string): Promise<void> {
  await getDocument(app, id);
  await app.database.transaction(async (tx) => {
    found((await detachTag(tx, id, tagId)) || undefined, 'tag of this document', tagId);
    await queueDocuments(tx, [id], { priority: 2 });
  });
}
