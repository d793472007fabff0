import { z } from 'zod';
import { Id, Json, Time } from '../schemas.ts';

export const JobStatus = z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']);

/** Background work that is not a page fetch. */
export const Job = z
  .object({
    id: Id,
    kind: z.string(),
    status: JobStatus,
    priority: z.number().int(),
    payload: Json,
    result: z.unknown(),
    progress: z.unknown(),
    attempt: z.number().int(),
    max_attempts: z.number().int(),
    worker_id: z.string().nullable(),
    due_at: Time,
    error_code: z.string().nullable(),
    error: z.string().nullable(),
    created_at: Time,
    started_at: Time.nullable(),
    completed_at: Time.nullable(),
  })
  .meta({ id: 'Job' });
export type Job = z.output<typeof Job>;
