import type { z } from 'zod';
import type { App } from '../../app.ts';
import { insertCollection } from '../../db/organise/collections.ts';
import { orConflict } from '../../db/unique.ts';
import { newId } from '../../ids.ts';
import type { Collection, CollectionInput } from './collection.ts';

export function createCollection(app: App, input: z.output<typeof CollectionInput>): Promise<Collection> {
  return orConflict(
    insertCollection(app.database, { id: newId(), ...input }),
    `a collection is called "${input.name}" already`,
  );
}
