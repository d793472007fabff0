import { z } from 'zod';
import type { App } from '../../app.ts';
import { deletePageRows } from '../../db/pages/pages.ts';
import { bumpGeneration } from '../../db/search/index-state.ts';
import { toDomainName } from '../domains/domain.ts';
import { Id } from '../schemas.ts';

export const DeletePagesInput = z
  .strictObject({
    ids: z.array(Id).min(1).max(1_000).optional(),
    domain: z.string().trim().min(1).max(260).optional(),
    before: z.iso.datetime({ offset: true }).optional().describe('Only pages last visited before this time.'),
  })
  .refine((input) => Object.values(input).some((value) => value !== undefined), 'give ids, a domain or a time');

const BATCH = 1_000;

/** Forgets pages and takes their documents out of search. In batches, so that no lock is held for long. */
export async function deletePages(app: App, input: z.output<typeof DeletePagesInput>): Promise<{ deleted: number }> {
  const filter = {
    ids: input.ids,
    domain: input.domain === undefined ? undefined : toDomainName(input.domain),
    before: input.before === undefined ? undefined : new Date(input.before),
    limit: BATCH,
  };
  let deleted = 0;
  for (let count = BATCH; count === BATCH; deleted += count) count = await deletePageRows(app.database, filter);
  if (deleted > 0) await bumpGeneration(app.database);
  return { deleted };
}
