import type { z } from 'zod';
import type { IndexProgress } from '../../operations/search/get-index-progress.ts';
import { runIndexer } from '../../roles/indexer.ts';
import { readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { connect } from './connect.ts';
import { printJson, talk } from './terminal.ts';

const USAGE = usageOf('reindex');

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
  const scope =
    values.document !== undefined
      ? { scope: 'document', id: values.document }
      : values.collection !== undefined
        ? { scope: 'collection', id: values.collection }
        : { scope: values.model === true ? 'model' : 'all' };
  await using api = await connect({ roles: runIndexer });
  const { queued } = await api.call<{ queued: number }>('POST', '/index/reindex', {
    ...scope,
    vectors: values.vectors === true,
  });
  talk(`${queued} documents are indexed again`);
  const progress = values.wait === false ? await read() : await watch();
  if (values.json === true) await printJson({ queued, ...progress });

  function read() {
    return api.call<z.output<typeof IndexProgress>>('GET', '/index');
  }
  async function watch() {
    for (let last = -1; ; ) {
      const progress = await read();
      const left = progress.waiting_text + progress.waiting_vectors;
      if (left === 0 && progress.next_model === null) return progress;
      if (left !== last) talk(`${left} documents to go`);
      last = left;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}
