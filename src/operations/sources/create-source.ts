import type { z } from 'zod';
import type { App } from '../../app.ts';
import { insertSource, type SourceOwner } from '../../db/sources/sources.ts';
import { orConflict } from '../../db/unique.ts';
import { newId } from '../../ids.ts';
import { type Source, type SourceInput, toSource, toSourceFields } from './source.ts';

export const NO_PARENT = 'the config or collection named here does not exist';

export async function createSource(
  app: App,
  input: z.output<typeof SourceInput>,
  owner: SourceOwner = { createdBy: 'system', userId: undefined },
): Promise<Source> {
  return toSource(await orConflict(insertSource(app.database, newId(), toSourceFields(app, input), owner), NO_PARENT));
}
