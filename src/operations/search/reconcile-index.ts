import { z } from 'zod';
import type { App } from '../../app.ts';
import { type Reconciled, reconcile } from '../../pipeline/index/reconcile.ts';

export const ReconcileInput = z.strictObject({
  repair: z.boolean().default(false).describe('Delete what should not be there, and index again what is missing.'),
});

const Differences = z.object({
  missing: z.number().int().describe('Chunks the database has and the index lacks.'),
  orphaned: z.number().int().describe('Rows the index has and the database does not.'),
});

export const ReconcileAnswer = z
  .object({
    chunks: z.number().int(),
    waiting: z.number().int().describe('Chunks whose vector is still to be made.'),
    fulltext: Differences,
    vectors: Differences,
    repaired: z.boolean(),
  })
  .meta({ id: 'ReconcileAnswer' });

/** Compares database and indexes both ways. Documents that change meanwhile may show as differences. */
export const reconcileIndex = (app: App, input: z.output<typeof ReconcileInput>): Promise<Reconciled> =>
  reconcile(app, input.repair);
