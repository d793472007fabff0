import { z } from 'zod';
import type { App } from '../../app.ts';
import { listChunkViews } from '../../db/documents/document-views.ts';
import { decodeCursor, type ListPage, type ListQuery, toListPage } from '../paging.ts';
import type { Chunk } from './document.ts';
import { getDocument } from './get-document.ts';

/** In the order of the text. */
export async function listDocumentChunks(
  app: App,
  id: string,
  input: z.output<typeof ListQuery>,
): Promise<ListPage<Chunk>> {
  const [after] = decodeCursor(input.cursor, z.tuple([z.int32()])) ?? [-1];
  const { chunks } = await getDocument(app, id);
  const rows = await listChunkViews(app.database, id, input.limit + 1, after);
  const page = toListPage(
    rows,
    input.limit,
    (row) => [row.chunk_index],
    (row) => row,
  );
  return { ...page, total: chunks };
}
