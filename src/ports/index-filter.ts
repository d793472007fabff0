/** The fields chunks can be filtered by, in every index engine. */
export interface IndexFields {
  documentId: string;
  collectionId: string | null;
  domain: string;
  tags: string[];
  source: 'crawl' | 'upload' | 'api';
  contentType: 'prose' | 'code' | 'table' | 'list';
  language: string | null;
  /** Milliseconds since 1970: when the document was fetched. */
  fetchedAt: number;
}

/** Each given field narrows the result; a list matches any of its values. */
export interface IndexFilter {
  documentIds?: readonly string[];
  collectionIds?: readonly string[];
  domains?: readonly string[];
  tags?: readonly string[];
  sources?: readonly string[];
  contentTypes?: readonly string[];
  languages?: readonly string[];
  fetchedFrom?: number;
  fetchedTo?: number;
}

export interface IndexHit {
  chunkId: string;
  documentId: string;
  score: number;
}
