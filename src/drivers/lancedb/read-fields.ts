import type { RecordBatch } from 'apache-arrow';
import type { IndexFields } from '../../ports/index-filter.ts';

/** Reads the shared columns of a batch, row by row. */
export function fieldsReader(batch: RecordBatch): (row: number) => IndexFields & { chunkId: string } {
  const column = (name: string) => batch.getChild(name)!;
  const [chunkId, documentId, collectionId] = [column('chunk_id'), column('document_id'), column('collection_id')];
  const [domain, source, contentType] = [column('domain'), column('source'), column('content_type')];
  const [tags, language, fetchedAt] = [column('tags'), column('language'), column('fetched_at')];
  return (row) => ({
    chunkId: chunkId.get(row),
    documentId: documentId.get(row),
    collectionId: collectionId.get(row),
    domain: domain.get(row),
    tags: [...tags.get(row)],
    source: source.get(row),
    contentType: contentType.get(row),
    language: language.get(row),
    fetchedAt: fetchedAt.get(row),
  });
}
