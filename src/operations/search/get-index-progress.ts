import { z } from 'zod';
import type { App } from '../../app.ts';
import { countChunks } from '../../db/search/chunks.ts';
import { readSpace } from '../../db/search/index-state.ts';
import { countOutbox } from '../../db/search/outbox.ts';

export const IndexProgress = z
  .object({
    model: z.string().nullable().describe('Whose vectors answer.'),
    next_model: z.string().nullable().describe('Whose vectors are being made to take over.'),
    waiting_text: z.number().int().describe('Documents not yet findable by keyword.'),
    waiting_vectors: z.number().int().describe('Documents with vectors to be made.'),
    failing: z.number().int().describe('Of those, how many failed and are tried again.'),
    chunks: z.number().int().describe('Passages there are.'),
    chunks_without_vector: z.number().int(),
  })
  .meta({ id: 'IndexProgress' });

export async function getIndexProgress(app: App): Promise<z.output<typeof IndexProgress>> {
  const space = await readSpace(app.database);
  const { text, vector, failing } = await countOutbox(app.database);
  const { chunks, unembedded } = await countChunks(app.database, app.embedder.model);
  return {
    model: space?.model ?? null,
    next_model: space === undefined || space.model === app.embedder.model ? null : app.embedder.model,
    waiting_text: text,
    waiting_vectors: vector,
    failing,
    chunks,
    chunks_without_vector: unembedded,
  };
}
