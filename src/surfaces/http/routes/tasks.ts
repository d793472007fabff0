import { IdParams } from '../../../operations/schemas.ts';
import {
  controlTask,
  PriorityInput,
  prioritiseTask,
  Restarted,
  RestartFailedInput,
  RestartTaskInput,
  restartFailed,
} from '../../../operations/tasks/control-task.ts';
import { getTask, getTaskErrors, TaskErrors } from '../../../operations/tasks/get-task.ts';
import { ListTasksInput, listTasks, TaskPage } from '../../../operations/tasks/list-tasks.ts';
import { Task } from '../../../operations/tasks/task.ts';
import { TaskStats, TaskStatsInput, taskStats } from '../../../operations/tasks/task-stats.ts';
import { route } from '../route.ts';

const tag = 'tasks';

const restartRoute = (step: 'restart' | 'restart-parsing', id: string, summary: string) =>
  route({
    method: 'POST',
    path: `/tasks/:id/${step}`,
    id,
    summary,
    tag,
    access: 'write',
    bound: 'refused',
    errors: ['STATE_CONFLICT', 'RAW_MISSING', 'QUOTA_EXCEEDED'],
    example: { params: { id: '{done_task}' } },
    params: IdParams,
    body: RestartTaskInput,
    response: Task,
    handler: ({ app, params, body }) => controlTask(app, params.id, step, body),
  });

const stepRoute = (step: 'pause' | 'resume' | 'cancel', summary: string) =>
  route({
    method: 'POST',
    path: `/tasks/:id/${step}`,
    id: `${step}Task`,
    summary,
    tag,
    access: 'write',
    bound: 'refused',
    errors: ['STATE_CONFLICT', 'QUOTA_EXCEEDED'],
    example: step === 'resume' ? { params: { id: '{paused_task}' } } : {},
    params: IdParams,
    response: Task,
    handler: ({ app, params }) => controlTask(app, params.id, step),
  });

export const taskRoutes = [
  route({
    method: 'GET',
    path: '/tasks',
    id: 'listTasks',
    summary: 'List tasks',
    tag,
    access: 'read',
    bound: 'refused',
    query: ListTasksInput,
    response: TaskPage,
    handler: ({ app, query }) => listTasks(app, query),
  }),
  route({
    method: 'GET',
    path: '/tasks/stats',
    id: 'getTaskStats',
    summary: 'Count tasks by status and by reason',
    tag,
    access: 'read',
    bound: 'refused',
    query: TaskStatsInput,
    response: TaskStats,
    handler: ({ app, query }) => taskStats(app, query),
  }),
  route({
    method: 'POST',
    path: '/tasks/restart-failed',
    id: 'restartFailedTasks',
    summary: 'Try failed tasks again: all of them, or what the filter names',
    tag,
    access: 'write',
    bound: 'refused',
    errors: ['NOT_FOUND'],
    example: { body: { domain: '{domain}' } },
    body: RestartFailedInput,
    response: Restarted,
    handler: ({ app, body }) => restartFailed(app, body),
  }),
  route({
    method: 'GET',
    path: '/tasks/:id',
    id: 'getTask',
    summary: 'Show a task',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    response: Task,
    handler: ({ app, params }) => getTask(app, params.id),
  }),
  route({
    method: 'GET',
    path: '/tasks/:id/errors',
    id: 'getTaskErrors',
    summary: 'Show what went wrong, attempt by attempt',
    tag,
    access: 'read',
    bound: 'refused',
    params: IdParams,
    response: TaskErrors,
    handler: ({ app, params }) => getTaskErrors(app, params.id),
  }),
  restartRoute('restart', 'restartTask', 'Fetch a page again'),
  restartRoute('restart-parsing', 'restartTaskParsing', 'Read the stored response of a page again, without a fetch'),
  stepRoute('pause', 'Pause a task'),
  stepRoute('resume', 'Resume a task'),
  stepRoute('cancel', 'Cancel a task'),
  route({
    method: 'PATCH',
    path: '/tasks/:id/priority',
    id: 'prioritiseTask',
    summary: 'Change the priority of a task',
    tag,
    access: 'write',
    bound: 'refused',
    errors: ['STATE_CONFLICT'],
    example: { body: { priority: 1 } },
    params: IdParams,
    body: PriorityInput,
    response: Task,
    handler: ({ app, params, body }) => prioritiseTask(app, params.id, body.priority),
  }),
];
