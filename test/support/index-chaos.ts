import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { countOutbox } from '../../src/db/search/outbox.ts';
import { deleteDocument, restoreDocument } from '../../src/operations/documents/delete-document.ts';
import { searchDocuments } from '../../src/operations/search/search-documents.ts';
import { SearchRequest } from '../../src/operations/search/search-schema.ts';
import { createIndexer } from '../../src/pipeline/index/indexer.ts';
import { type Reconciled, reconcile } from '../../src/pipeline/index/reconcile.ts';
import type { Database } from '../../src/ports/database.ts';
import { createIndexApp, putDocument } from './index-app.ts';

const WORDS = 'apple pear plum grape heat flow wing shock layer plate engine turbine'.split(' ');

/**
 * Random inserts, updates, deletes and restores while indexers are killed without warning. A search that returns a
 * document deleted before it was sent fails the run. Ends with what reconcile says after the outbox ran dry.
 */
export async function runIndexChaos(
  database: Database,
  options: { operations: number; kills: number; random: () => number },
): Promise<Reconciled & { searches: number }> {
  const { random } = options;
  await using app = await createIndexApp(database);
  const ids = new Map<string, string>();
  const deleted = new Set<string>();
  let over = false;
  let searches = 0;
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const text = () => Array.from({ length: 20 + Math.floor(random() * 200) }, () => pick(WORDS)).join(' ');

  const search = async () => {
    while (!over) {
      const gone = new Set(deleted);
      const { results } = await searchDocuments(app, SearchRequest.parse({ query: pick(WORDS), limit: 50 }));
      searches++;
      for (const result of results)
        assert.ok(!gone.has(result.document_id) || !deleted.has(result.document_id), 'a deleted document was found');
    }
  };
  const operate = async (number: number) => {
    const url = `https://example.com/${Math.floor(random() * 40)}`;
    const id = ids.get(url);
    const dice = random();
    if (id === undefined || dice < 0.6) {
      if (id !== undefined) deleted.delete(id);
      ids.set(url, await putDocument(database, url, `${text()} ${number}`));
    } else if (dice < 0.85) {
      await deleteDocument(app, id);
      deleted.add(id);
    } else {
      deleted.delete(id);
      await restoreDocument(app, id);
    }
  };

  const searching = search();
  const every = Math.max(1, Math.floor(options.operations / (options.kills + 1)));
  let indexer = await startIndexer(database.url, app.folder);
  try {
    for (let number = 1; number <= options.operations; number++) {
      await operate(number);
      if (number % every === 0) {
        await new Promise((resolve) => setTimeout(resolve, random() * 300));
        await indexer.kill();
        indexer = await startIndexer(database.url, app.folder);
      }
    }
  } finally {
    await indexer.kill();
    over = true;
    await searching;
  }
  await settle(database, app);
  return { ...(await reconcile(app, false)), searches };
}

/** Leases of the killed run out after two seconds; then another process finishes their work. */
async function settle(database: Database, app: Parameters<typeof createIndexer>[0]): Promise<void> {
  for (let look = 0; look < 600; look++) {
    await createIndexer(app).drain();
    const { text, vector } = await countOutbox(database);
    if (text + vector === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the outbox did not run dry');
}

async function startIndexer(url: string, folder: string) {
  const file = new URL('./indexer-process.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, url, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
