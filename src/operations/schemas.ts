import { z } from 'zod';

/** The small schemas that many operations share. */

export const Id = z.uuid().describe('A UUIDv7.');
export const IdParams = z.strictObject({ id: Id });

/** Leaves as an ISO 8601 string in UTC. */
export const Time = z.date();

/** A point in time a caller gives: an ISO 8601 date, or date and time; without an offset it is UTC. */
export const Moment = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()])
  .transform((text) => new Date(text.length === 10 || /[Z+-]/.test(text.slice(10)) ? text : `${text}Z`));

export const Json = z.record(z.string(), z.unknown());

export const Deleted = z.object({ deleted: z.number().int() });

const PRIORITIES = { high: 2, normal: 5, low: 8 } as const;

/** 1 is first, 10 is last; the words stand for 2, 5 and 8. */
export const Priority = z
  .union([z.number().int().min(1).max(10), z.enum(['high', 'normal', 'low'])])
  .transform((value) => (typeof value === 'number' ? value : PRIORITIES[value]));
