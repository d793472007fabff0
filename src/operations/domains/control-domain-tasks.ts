import { z } from 'zod';
import type { App } from '../../app.ts';
import { restartTasks, type TaskSelection } from '../../db/tasks/control-tasks.ts';
import { Moment, Priority } from '../schemas.ts';
import { controlTasks } from '../tasks/control-task.ts';
import { moveTasks } from '../tasks/move-tasks.ts';
import { requireDomain } from './get-domain.ts';

export const TasksMoved = z
  .object({ moved: z.number().int().describe('How many tasks took the step.') })
  .meta({ id: 'TasksMoved' });
type Moved = z.output<typeof TasksMoved>;

/** One step for every task of a domain, whatever crawl it belongs to. Taken twice, it moves nothing the second time. */
export async function controlDomainTasks(app: App, name: string, step: 'pause' | 'resume' | 'cancel'): Promise<Moved> {
  const { id } = await requireDomain(app, name);
  return { moved: await controlTasks(app, { domainId: id }, step) };
}

export const RestartDomainTasksInput = z.strictObject({
  statuses: z
    .array(z.enum(['completed', 'failed', 'skipped', 'cancelled', 'paused']))
    .min(1)
    .default(['failed'])
    .describe('Which tasks start over.'),
  priority: Priority.optional(),
  scheduled_at: Moment.optional().describe('Not before this time.'),
  limit: z.number().int().min(1).max(100_000).default(10_000),
});

/** Crawls that had ended go on until these tasks are done. */
export async function restartDomainTasks(
  app: App,
  name: string,
  input: z.output<typeof RestartDomainTasksInput>,
): Promise<Moved> {
  const selection: TaskSelection = { domainId: (await requireDomain(app, name)).id };
  const moved = await moveTasks(app, (tx) =>
    restartTasks(tx, selection, {
      statuses: input.statuses,
      parseOnly: false,
      priority: input.priority,
      scheduledAt: input.scheduled_at,
      limit: input.limit,
    }),
  );
  return { moved };
}
