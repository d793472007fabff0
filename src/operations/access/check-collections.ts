import type { App } from '../../app.ts';
import { findMissingCollections } from '../../db/organise/collections.ts';
import { AppError } from '../../errors.ts';

/** The collections a key is to be bound to, each once; one that is not there is refused. */
export async function checkCollections({ database }: App, given: readonly string[]): Promise<string[]> {
  const ids = [...new Set(given.map((id) => id.toLowerCase()))];
  if (ids.length === 0) return ids;
  const [missing] = await findMissingCollections(database, ids);
  if (missing !== undefined)
    throw new AppError('NOT_FOUND', `there is no collection ${missing}`, {
      details: { collections: missing },
      hint: 'GET /api/v1/collections lists them.',
    });
  return ids;
}
