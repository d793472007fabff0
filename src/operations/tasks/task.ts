import { z } from 'zod';
import { TASK_STATUSES } from '../../db/tasks/states.ts';
import type { TaskRow } from '../../db/tasks/tasks.ts';
import { Id, Time } from '../schemas.ts';

export const TaskStatus = z.enum(TASK_STATUSES);

export const Task = z
  .object({
    id: Id,
    crawl_id: Id,
    domain: z.string(),
    parent_id: Id.nullable(),
    url: z.string(),
    status: TaskStatus,
    priority: z.number().int(),
    depth: z.number().int(),
    score: z.number().nullable(),
    attempt: z.number().int(),
    failures: z.number().int(),
    max_retries: z.number().int(),
    worker_id: z.string().nullable(),
    http_status: z.number().int().nullable(),
    code: z.string().nullable().describe('Why it was not fetched, or what went wrong last.'),
    message: z.string().nullable(),
    response_ms: z.number().int().nullable(),
    is_recurring: z.boolean(),
    interval_s: z.number().int().nullable(),
    visit: z.number().int(),
    quarantined: z.boolean(),
    dlq_retries: z.number().int().describe('How often it was tried again by itself after it had failed for good.'),
    retry_at: Time.nullable().describe('When a failed task is tried again by itself, if its crawl still goes on.'),
    has_raw: z.boolean().describe('The response is stored: restart-parsing needs no fetch.'),
    created_by: z.string(),
    due_at: Time,
    created_at: Time,
    updated_at: Time,
    started_at: Time.nullable(),
    completed_at: Time.nullable(),
  })
  .meta({ id: 'Task' });

export type Task = z.infer<typeof Task>;

export function toTask(row: TaskRow): Task {
  return { ...row, status: TaskStatus.parse(row.status) };
}
