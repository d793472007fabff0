import type { z } from 'zod';
import type { App } from '../../app.ts';
import { updateSourceRow } from '../../db/sources/sources.ts';
import { orConflict } from '../../db/unique.ts';
import { found } from '../found.ts';
import { NO_PARENT } from './create-source.ts';
import { type Source, type SourceInput, toSource, toSourceFields } from './source.ts';

export async function updateSource(app: App, id: string, input: z.output<typeof SourceInput>): Promise<Source> {
  const row = await orConflict(updateSourceRow(app.database, id, toSourceFields(app, input)), NO_PARENT);
  return toSource(found(row, 'source', id));
}
