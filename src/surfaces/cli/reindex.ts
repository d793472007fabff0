import type { ReindexBody } from '../../../clients/typescript/src/index.ts';
import { runIndexer } from '../../roles/indexer.ts';
import { readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { connect } from './connect.ts';
import { printJson, talk } from './terminal.ts';

const USAGE = usageOf('reindex');
/** Every document is marked. */
const PATIENCE_MS = 600_000;

/** `crawl4r reindex`: builds the index again from the database, all of it or a part, and shows how far it is. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = readArguments(args, USAGE, {
    document: text,
    collection: text,
    model: flag,
    vectors: flag,
    wait: flag,
  });
  const scope: ReindexBody =
    values.document !== undefined
      ? { scope: 'document', id: String(values.document) }
      : values.collection !== undefined
        ? { scope: 'collection', id: String(values.collection) }
        : { scope: values.model === true ? 'model' : 'all' };
  await using api = await connect({ roles: runIndexer });
  const { search } = api.client;
  const { queued } = await search.reindex({ ...scope, vectors: values.vectors === true }, { timeoutMs: PATIENCE_MS });
  talk(`${queued} documents are indexed again`);
  const progress = values.wait === false ? await search.getIndexProgress() : await watch();
  if (values.json === true) await printJson({ queued, ...progress });

  async function watch() {
    for (let last = -1; ; ) {
      const progress = await search.getIndexProgress();
      const left = progress.waiting_text + progress.waiting_vectors;
      if (left === 0 && progress.next_model === null) return progress;
      if (left !== last) talk(`${left} documents to go`);
      last = left;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}
