import type { Embedder } from '../../ports/embedder.ts';
import type { Fulltext } from '../../ports/fulltext.ts';
import type { IndexFields } from '../../ports/index-filter.ts';
import type { Vectors } from '../../ports/vectors.ts';
import { chunkText } from '../index/chunk.ts';
import { embeddingText, fittingSize } from '../index/embedding-text.ts';
import type { TextChunk } from '../index/types.ts';

export interface CorpusDocument {
  id: string;
  title: string;
  text: string;
}

export interface CorpusChunk {
  id: string;
  document: CorpusDocument;
  chunk: TextChunk;
}

/** Cuts documents the way the indexer does; chunk ids name document and place. */
export function chunkCorpus(
  documents: readonly CorpusDocument[],
  maxTokens: number,
  countTokens: (text: string) => number,
): CorpusChunk[] {
  const size = fittingSize(512, maxTokens);
  return documents.flatMap((document) => {
    const chunks = chunkText(document.text, { size }, countTokens);
    const whole = { start: 0, end: 0, content: '', tokens: 0, headingPath: [], type: 'prose' as const };
    return (chunks.length === 0 ? [whole] : chunks).map((chunk, at) => ({
      id: `${document.id}#${at}`,
      document,
      chunk,
    }));
  });
}

export const corpusText = ({ document, chunk }: CorpusChunk) =>
  embeddingText({ title: document.title, headingPath: chunk.headingPath, content: chunk.content });

/** Embeds long texts last and in slices, so that progress is even; two slices are always on the way. */
export async function embedCorpus(
  embedder: Embedder,
  chunks: readonly CorpusChunk[],
  onProgress: (done: number) => void,
): Promise<Float32Array[]> {
  const texts = chunks.map(corpusText);
  const order = texts.map((_, at) => at).sort((a, b) => texts[a]!.length - texts[b]!.length);
  const vectors = new Array<Float32Array>(texts.length);
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < order.length) {
      const slice = order.slice(next, next + 64);
      next += slice.length;
      const made = await embedder.embed(
        slice.map((at) => texts[at]!),
        'document',
      );
      slice.forEach((at, row) => {
        vectors[at] = made[row]!;
      });
      done += slice.length;
      onProgress(done);
    }
  };
  await Promise.all([work(), work()]);
  return vectors;
}

export async function fillIndexes(
  chunks: readonly CorpusChunk[],
  fulltext: Fulltext,
  vectors: Vectors | undefined,
  embedded: readonly Float32Array[],
): Promise<void> {
  const fields = (entry: CorpusChunk): IndexFields & { chunkId: string } => ({
    chunkId: entry.id,
    documentId: entry.document.id,
    collectionId: null,
    domain: '',
    tags: [],
    source: 'api',
    contentType: entry.chunk.type,
    language: null,
    fetchedAt: 0,
  });
  await fulltext.upsert(
    chunks.map((entry) => ({
      ...fields(entry),
      title: entry.document.title,
      headings: entry.chunk.headingPath.join(' '),
      content: entry.chunk.content,
    })),
  );
  await vectors?.upsert(chunks.map((entry, at) => ({ ...fields(entry), vector: embedded[at]! })));
}
