import { z } from 'zod';
import type { App } from '../../app.ts';
import { getCrawlRow } from '../../db/crawls/crawls.ts';
import type { Moved } from '../../db/crawls/settle-crawls.ts';
import {
  cancelTasks,
  pauseTasks,
  restartTasks,
  resumeTasks,
  setTaskPriority,
  type TaskSelection,
} from '../../db/tasks/control-tasks.ts';
import { TASK_MOVES, type TaskMove } from '../../db/tasks/states.ts';
import { AppError } from '../../errors.ts';
import type { Transaction } from '../../ports/database.ts';
import { requireQuotaAgain } from '../crawls/require-quota.ts';
import { toDomainName } from '../domains/domain.ts';
import { Moment, Priority } from '../schemas.ts';
import { getTask } from './get-task.ts';
import { moveTasks } from './move-tasks.ts';
import type { Task } from './task.ts';

export type TaskStep = 'pause' | 'resume' | 'cancel' | 'restart' | 'restart-parsing';

export const RestartTaskInput = z.strictObject({
  priority: Priority.optional(),
  scheduled_at: Moment.optional().describe('Not before this time.'),
  reset_retry_count: z
    .boolean()
    .default(true)
    .describe('Whether it gets all of its retries again; false: its failures so far count.'),
});
type Restart = Partial<z.output<typeof RestartTaskInput>>;

const MOVES = {
  pause: 'pause',
  resume: 'resume',
  cancel: 'cancel',
  restart: 'restart',
  'restart-parsing': 'restart',
} as const satisfies Record<TaskStep, TaskMove>;

/** One step for one task. A step that was taken already changes nothing; one that does not fit the status is refused. */
export async function controlTask(app: App, id: string, step: TaskStep, input: Restart = {}): Promise<Task> {
  const before = await getTask(app, id);
  if (step === 'restart-parsing' && !before.has_raw)
    throw new AppError('RAW_MISSING', `no response of task ${id} is stored`);
  const moved = await moveTasks(app, async (tx) => {
    const crawl = MOVES[step] === 'restart' ? await getCrawlRow(tx, before.crawl_id) : undefined;
    if (crawl !== undefined) await requireQuotaAgain(app, tx, crawl, 1);
    return takeStep(tx, { taskId: id }, step, input);
  });
  const reached: readonly string[] = TASK_MOVES[MOVES[step]].to;
  if (moved === 0 && !reached.includes(before.status))
    throw new AppError('STATE_CONFLICT', `a task that is ${before.status} cannot take the step ${step}`);
  return getTask(app, id);
}

/** The same step for every task of a crawl or a domain; returns how many took it. */
export async function controlTasks(
  app: App,
  selection: TaskSelection,
  step: TaskStep,
  input: Restart = {},
): Promise<number> {
  return moveTasks(app, (tx) => takeStep(tx, selection, step, input));
}

function takeStep(tx: Transaction, selection: TaskSelection, step: TaskStep, input: Restart): Promise<Moved[]> {
  if (step === 'pause') return pauseTasks(tx, selection);
  if (step === 'resume') return resumeTasks(tx, selection);
  if (step === 'cancel') return cancelTasks(tx, selection);
  return restartTasks(tx, selection, {
    statuses: TASK_MOVES.restart.from,
    parseOnly: step === 'restart-parsing',
    priority: input.priority,
    scheduledAt: input.scheduled_at,
    keepRetryCount: input.reset_retry_count === false,
  });
}

export const RestartFailedInput = z.strictObject({
  crawl_id: z.uuid().optional(),
  domain: z.string().trim().min(1).max(260).optional(),
  code: z.string().optional(),
  failed_after: Moment.optional(),
  limit: z.number().int().min(1).max(100_000).default(1_000),
});
export const Restarted = z.object({ restarted: z.number().int() });

/** The dead-letter list, tried again: all of it, or what the filter names. */
export async function restartFailed(
  app: App,
  input: z.output<typeof RestartFailedInput>,
): Promise<z.output<typeof Restarted>> {
  const [domain] =
    input.domain === undefined
      ? []
      : await app.database.query<{ id: string }>('SELECT id FROM domains WHERE domain = $1', [
          toDomainName(input.domain),
        ]);
  if (input.domain !== undefined && domain === undefined)
    throw new AppError('NOT_FOUND', `there is no domain ${input.domain}`);
  const selection = { crawlId: input.crawl_id, domainId: domain?.id };
  const restarted = await moveTasks(app, (tx) =>
    restartTasks(tx, selection, {
      statuses: ['failed'],
      parseOnly: false,
      code: input.code,
      failedAfter: input.failed_after,
      limit: input.limit,
    }),
  );
  return { restarted };
}

export const PriorityInput = z.strictObject({ priority: Priority });

export async function prioritiseTask(app: App, id: string, priority: number): Promise<Task> {
  const before = await getTask(app, id);
  const moved = await setTaskPriority(app.database, { taskId: id }, priority);
  if (moved.length === 0 && before.priority !== priority)
    throw new AppError('STATE_CONFLICT', `a task that is ${before.status} has no priority any more`);
  return getTask(app, id);
}
