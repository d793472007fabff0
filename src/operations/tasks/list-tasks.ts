import { z } from 'zod';
import type { App } from '../../app.ts';
import { listTaskRows, TASK_SORTS } from '../../db/tasks/tasks.ts';
import { toDomainName } from '../domains/domain.ts';
import { type ListPage, ListQuery, listPageOf, readList, sortBy } from '../paging.ts';
import { Id } from '../schemas.ts';
import { Task, TaskStatus, toTask } from './task.ts';

export const ListTasksInput = ListQuery.extend({
  ...sortBy(TASK_SORTS),
  crawl_id: Id.optional(),
  domain: z.string().max(300).optional(),
  status: TaskStatus.optional(),
  code: z.string().max(100).optional(),
  parent_id: Id.optional(),
  url: z.string().max(500).optional().describe('Part of the address.'),
});
export const TaskPage = listPageOf(Task);

export async function listTasks(app: App, input: z.output<typeof ListTasksInput>): Promise<ListPage<Task>> {
  const listing = listTaskRows({
    crawlId: input.crawl_id,
    domain: input.domain === undefined ? undefined : toDomainName(input.domain),
    status: input.status,
    code: input.code,
    parentId: input.parent_id,
    url: input.url,
  });
  return readList(app.database, listing, TASK_SORTS, input, toTask);
}
