import type { App } from '../app.ts';
import { joinWorkers } from '../operations/admin/membership.ts';
import { createIndexer } from '../pipeline/index/indexer.ts';

/** Chunks, embeds and indexes what the outbox names, until `signal` aborts. */
export async function runIndexer(app: App, signal: AbortSignal): Promise<void> {
  await using membership = await joinWorkers(app, 'indexer');
  await createIndexer(app, { worker: membership.id }).run(signal);
}
