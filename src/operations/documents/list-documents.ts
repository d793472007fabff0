import { z } from 'zod';
import type { App } from '../../app.ts';
import { DOCUMENT_SORTS, listDocumentViews } from '../../db/documents/document-views.ts';
import type { Binding } from '../access/binding.ts';
import { toDomainFilter } from '../domains/domain.ts';
import { type ListPage, ListQuery, readList, sortBy } from '../paging.ts';
import type { Document } from './document.ts';

export const ListDocumentsInput = ListQuery.extend({
  ...sortBy(DOCUMENT_SORTS),
  domain: z.string().trim().toLowerCase().min(1).max(260).optional(),
  collection_id: z.uuid().optional(),
  tag_id: z.uuid().optional(),
  source: z.enum(['crawl', 'upload', 'api']).optional(),
  language: z.string().trim().toLowerCase().min(2).max(20).optional(),
  query: z.string().trim().toLowerCase().min(1).max(200).optional().describe('Part of the address or title.'),
  gone: z
    .stringbool()
    .or(z.boolean())
    .default(false)
    .describe('List those whose page is no longer there instead; they are not found by searches.'),
  deleted: z.stringbool().or(z.boolean()).default(false).describe('List what was deleted instead.'),
});

export async function listDocuments(
  app: App,
  input: z.output<typeof ListDocumentsInput>,
  within?: Binding,
): Promise<ListPage<Document>> {
  const listing = listDocumentViews({
    domain: input.domain === undefined ? undefined : toDomainFilter(input.domain),
    collectionId: input.collection_id,
    within,
    tagId: input.tag_id,
    source: input.source,
    language: input.language,
    text: input.query,
    deleted: input.deleted,
    gone: input.gone,
  });
  return readList(app.database, listing, DOCUMENT_SORTS, input, (row) => row);
}
