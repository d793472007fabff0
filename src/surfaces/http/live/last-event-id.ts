import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../errors.ts';

export const AfterQuery = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The id of the last event you have: every one since is sent. Last-Event-ID says the same.'),
});

/** Where a client continues: from the header its browser sends, or from the query. */
export function lastEventId(request: FastifyRequest, asked: number | undefined): number | undefined {
  const said = request.headers['last-event-id'];
  if (said === undefined || said === '') return asked;
  if (typeof said !== 'string' || !/^\d{1,15}$/.test(said))
    throw new AppError('VALIDATION_FAILED', 'Last-Event-ID is not one this stream gave out', {
      details: { 'header.last-event-id': 'a whole number' },
      hint: 'Leave it out to start with the present state.',
    });
  return Number(said);
}
