import type { App } from '../../app.ts';
import { findSource } from '../../db/sources/sources.ts';
import { found } from '../found.ts';
import { type Source, toSource } from './source.ts';

export async function getSource(app: App, id: string): Promise<Source> {
  return toSource(found(await findSource(app.database, id), 'source', id));
}
