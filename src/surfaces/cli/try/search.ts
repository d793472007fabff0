import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import type { CorpusDocument } from '../../../pipeline/search/corpus-index.ts';
import { openCorpus } from '../../../workbench.ts';
import { runFilter } from './filter.ts';

const HITS = 100;
const Line = z.object({ _id: z.coerce.string(), title: z.string().nullish(), text: z.string().nullish() });
const Input = z.object({ query: z.string() });
const Mode = z.enum(['hybrid', 'vector', 'keyword']);

/** `{id, query}` → `{id, hits: [{doc, score, …}]}` over a corpus of `{_id, title, text}` lines. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      corpus: { type: 'string' },
      mode: { type: 'string', default: 'hybrid' },
      rerank: { type: 'boolean', default: false },
      cache: { type: 'string' },
      embedder: { type: 'string' },
      pooling: { type: 'string' },
      'query-prefix': { type: 'string' },
      reranker: { type: 'string' },
    },
  });
  if (values.corpus === undefined) throw new AppError('VALIDATION_FAILED', 'name the corpus with --corpus FILE');
  const mode = Mode.safeParse(values.mode);
  if (!mode.success) throw new AppError('VALIDATION_FAILED', '--mode takes hybrid, vector or keyword');
  if (values.rerank && values.reranker === undefined)
    process.stderr.write('no reranker comes along: give a cross-encoder folder with --reranker FOLDER\n');
  const documents = await readCorpus(values.corpus);
  await using corpus = await openCorpus(documents, {
    vectors: mode.data !== 'keyword',
    cache: values.cache,
    embedder: values.embedder,
    pooling: values.pooling === 'cls' ? 'cls' : undefined,
    queryPrefix: values['query-prefix'],
    reranker: values.rerank ? values.reranker : undefined,
    onProgress: reportProgress(),
  });
  await runFilter(async (line) => {
    const { query } = Input.parse(line);
    return { hits: await corpus.search(query, mode.data, HITS, values.rerank) };
  }, 4);
}

export async function readCorpus(file: string): Promise<CorpusDocument[]> {
  const documents: CorpusDocument[] = [];
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  try {
    for await (const line of lines) {
      if (line.trim() === '') continue;
      const { _id, title, text } = Line.parse(JSON.parse(line));
      documents.push({ id: _id, title: title ?? '', text: text ?? '' });
    }
  } catch (cause) {
    throw new AppError('VALIDATION_FAILED', `${file} is not readable as {_id, title, text} lines`, { cause });
  }
  return documents;
}

/** At most one line a second on stderr. */
export function reportProgress(): (done: number, total: number) => void {
  const start = performance.now();
  let last = 0;
  return (done, total) => {
    const now = performance.now();
    if (now - last < 1_000 && done < total) return;
    last = now;
    const rate = done / ((now - start) / 1_000);
    process.stderr.write(`embedded ${done} of ${total} chunks, ${rate.toFixed(0)} a second\n`);
  };
}
