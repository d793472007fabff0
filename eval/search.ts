/**
 * nDCG@10, MRR@10 and recall@100 of every search mode over a BEIR-shaped folder (corpus.jsonl, queries.jsonl,
 * qrels.tsv or qrels/test.tsv). Usage: node eval/search.ts FOLDER [--cache DIR] [--mode MODE] [--embedder FOLDER]
 * [--engines]: with the engines of the product instead of those in memory.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createTemporaryFolder } from '../bench/temporary-folder.ts';
import { readCorpus, reportProgress } from '../src/surfaces/cli/try/search.ts';
import { openCorpus } from '../src/workbench.ts';

type Relevance = Map<string, Map<string, number>>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cache: { type: 'string' },
    mode: { type: 'string' },
    embedder: { type: 'string' },
    pooling: { type: 'string' },
    'query-prefix': { type: 'string' },
    reranker: { type: 'string' },
    engines: { type: 'boolean', default: false },
  },
});
const folder = positionals[0];
if (folder === undefined) throw new Error('usage: node eval/search.ts FOLDER');

const modes = (['keyword', 'vector', 'hybrid'] as const).filter((mode) => (values.mode ?? mode) === mode);
const relevance = readRelevance(
  [join(folder, 'qrels.tsv'), join(folder, 'qrels', 'test.tsv')].find((file) => existsSync(file)) ?? '',
);
const queries = readFileSync(join(folder, 'queries.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as { _id: string | number; text: string })
  .filter(({ _id }) => [...(relevance.get(String(_id))?.values() ?? [])].some((grade) => grade > 0));
await using engines = await createTemporaryFolder('eval');
const documents = await readCorpus(join(folder, 'corpus.jsonl'));
await using corpus = await openCorpus(documents, {
  vectors: modes.some((mode) => mode !== 'keyword'),
  cache: values.cache,
  embedder: values.embedder,
  pooling: values.pooling === 'cls' ? 'cls' : undefined,
  queryPrefix: values['query-prefix'],
  reranker: values.reranker,
  engines: values.engines ? engines.path : undefined,
  onProgress: reportProgress(),
});

const report: Record<string, unknown> = { documents: documents.length, queries: queries.length };
for (const mode of modes) {
  const totals = { ndcg10: 0, mrr10: 0, recall100: 0 };
  for (const { _id, text } of queries) {
    const hits = await corpus.search(text, mode, 100, values.reranker !== undefined);
    const scores = judge(
      hits.map((hit) => hit.doc),
      relevance.get(String(_id))!,
    );
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += scores[name] / queries.length;
  }
  report[mode] = totals;
  console.error(
    `${mode.padEnd(8)} nDCG@10 ${totals.ndcg10.toFixed(4)}  MRR@10 ${totals.mrr10.toFixed(4)}  recall@100 ${totals.recall100.toFixed(4)}`,
  );
}
console.log(JSON.stringify(report));

function judge(ranked: string[], grades: Map<string, number>) {
  const gain = (grade: number, at: number) => grade / Math.log2(at + 2);
  const positive = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
  const ideal = positive.slice(0, 10).reduce((sum, grade, at) => sum + gain(grade, at), 0);
  const found = ranked.slice(0, 10).reduce((sum, doc, at) => sum + gain(Math.max(0, grades.get(doc) ?? 0), at), 0);
  const first = ranked.slice(0, 10).findIndex((doc) => (grades.get(doc) ?? 0) > 0);
  const recalled = ranked.slice(0, 100).filter((doc) => (grades.get(doc) ?? 0) > 0).length;
  return { ndcg10: found / ideal, mrr10: first < 0 ? 0 : 1 / (first + 1), recall100: recalled / positive.length };
}

function readRelevance(file: string): Relevance {
  const relevance: Relevance = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n').slice(1)) {
    const [query, document, grade] = line.split('\t');
    if (grade === undefined) continue;
    const grades = relevance.get(query!) ?? new Map<string, number>();
    relevance.set(query!, grades.set(document!, Number(grade)));
  }
  return relevance;
}
