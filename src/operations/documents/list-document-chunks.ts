import type { z } from 'zod';
import type { App } from '../../app.ts';
import { CHUNK_SORTS, listChunkViews } from '../../db/documents/document-views.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import type { Chunk } from './document.ts';
import { getDocument } from './get-document.ts';

export const ListChunksInput = ListQuery.extend(sortBy(CHUNK_SORTS));

/** In the order of the text. */
export async function listDocumentChunks(
  app: App,
  id: string,
  input: z.output<typeof ListChunksInput>,
): Promise<ListPage<Chunk>> {
  const page = await readList(app.database, listChunkViews(id), CHUNK_SORTS, input, (row) => row);
  const { chunks } = await getDocument(app, id);
  return { ...page, total: chunks };
}
