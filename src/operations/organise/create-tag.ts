import type { z } from 'zod';
import type { App } from '../../app.ts';
import { insertTag } from '../../db/organise/tags.ts';
import { orConflict } from '../../db/unique.ts';
import { newId } from '../../ids.ts';
import type { Tag, TagInput } from './tag.ts';

export function createTag(app: App, input: z.output<typeof TagInput>): Promise<Tag> {
  return orConflict(
    insertTag(app.database, { id: newId(), name: input.name }),
    `the tag "${input.name}" exists already`,
  );
}
