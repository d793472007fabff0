import { z } from 'zod';
import type { App } from '../../app.ts';
import { listTaskRows } from '../../db/tasks/tasks.ts';
import { toDomainName } from '../domains/domain.ts';
import { decodeIdCursor, type Page, PageQuery, pageOf, toPage } from '../paging.ts';
import { Id } from '../schemas.ts';
import { Task, TaskStatus, toTask } from './task.ts';

export const ListTasksInput = PageQuery.extend({
  crawl_id: Id.optional(),
  domain: z.string().max(300).optional(),
  status: TaskStatus.optional(),
  code: z.string().max(100).optional(),
  parent_id: Id.optional(),
  url: z.string().max(500).optional().describe('Part of the address.'),
});
export const TaskPage = pageOf(Task);

export async function listTasks(app: App, input: z.output<typeof ListTasksInput>): Promise<Page<Task>> {
  const rows = await listTaskRows(app.database, {
    crawlId: input.crawl_id,
    domain: input.domain === undefined ? undefined : toDomainName(input.domain),
    status: input.status,
    code: input.code,
    parentId: input.parent_id,
    url: input.url,
    before: decodeIdCursor(input.cursor),
    limit: input.limit + 1,
  });
  return toPage(rows, input.limit, (row) => [row.id], toTask);
}
