import { z } from 'zod';
import type { App } from '../../app.ts';
import { getTaskRow, listTaskErrors } from '../../db/tasks/tasks.ts';
import { AppError } from '../../errors.ts';
import { Id, Time } from '../schemas.ts';
import { type Task, toTask } from './task.ts';

export async function getTask(app: App, id: string): Promise<Task> {
  const row = await getTaskRow(app.database, id);
  if (row === undefined) throw new AppError('NOT_FOUND', `there is no task ${id}`);
  return toTask(row);
}

export const TaskErrors = z.object({
  items: z.array(
    z.object({
      id: Id,
      attempt: z.number().int(),
      category: z.enum(['network', 'http', 'robots', 'parse', 'validation', 'internal']),
      code: z.string(),
      message: z.string(),
      worker_id: z.string().nullable(),
      occurred_at: Time,
    }),
  ),
});

export async function getTaskErrors(app: App, id: string): Promise<z.input<typeof TaskErrors>> {
  await getTask(app, id);
  const rows = await listTaskErrors(app.database, id);
  return TaskErrors.parse({ items: rows });
}
