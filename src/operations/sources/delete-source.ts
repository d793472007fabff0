import type { App } from '../../app.ts';
import { deleteSourceRow } from '../../db/sources/sources.ts';
import { found } from '../found.ts';

/** Its crawls and documents stay. */
export async function deleteSource(app: App, id: string): Promise<void> {
  found(await deleteSourceRow(app.database, id), 'source', id);
}
