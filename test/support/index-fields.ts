import type { IndexFields } from '../../src/ports/index-filter.ts';

/** What an index keeps of a document besides its text or vector; a test names only what matters to it. */
export const indexFields = (documentId: string, over: Partial<IndexFields> = {}): IndexFields => ({
  documentId,
  collectionId: null,
  domain: 'example.com',
  tags: [],
  source: 'crawl',
  contentType: 'prose',
  language: 'en',
  fetchedAt: 1_000,
  ...over,
});
