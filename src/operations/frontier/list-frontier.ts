import { z } from 'zod';
import type { App } from '../../app.ts';
import { type FrontierRow, listFrontierRows } from '../../db/frontier/frontier-views.ts';
import { requireDomain } from '../domains/get-domain.ts';
import { decodeCursor, type ListPage, ListQuery, TimeKey, toListPage } from '../paging.ts';
import { Id } from '../schemas.ts';
import { type Task, toTask } from '../tasks/task.ts';

export const ListFrontierInput = ListQuery.extend({
  crawl_id: Id.optional(),
  domain: z.string().trim().min(1).max(260).optional(),
  state: z
    .enum(['ready', 'delayed'])
    .default('ready')
    .describe('ready: domain by domain, what is next first; delayed: retries and planned visits, the soonest first.'),
});

const Keys = {
  turn: z.tuple([z.uuid(), z.int32(), z.number(), z.uuid()]),
  time: z.tuple([z.union([TimeKey, z.literal('infinity')]), z.uuid()]),
  id: z.tuple([z.uuid()]),
};
const KEYS_OF = {
  turn: (row: FrontierRow) => [row.domain_id, row.priority, row.rank, row.id],
  time: (row: FrontierRow) => [row.due_key, row.id],
  id: (row: FrontierRow) => [row.id],
};

/** What waits, each page read from one index whatever the size of the frontier. */
export async function listFrontier(app: App, input: z.output<typeof ListFrontierInput>): Promise<ListPage<Task>> {
  const order = input.crawl_id !== undefined ? 'id' : input.state === 'ready' ? 'turn' : 'time';
  const rows = await listFrontierRows(app.database, {
    order,
    ready: input.state === 'ready',
    crawlId: input.crawl_id,
    domainId: input.domain === undefined ? undefined : (await requireDomain(app, input.domain)).id,
    after: decodeCursor<z.ZodType<unknown[]>>(input.cursor, Keys[order]),
    limit: input.limit + 1,
  });
  return toListPage(rows, input.limit, KEYS_OF[order], ({ rank: _rank, domain_id: _domain, due_key: _due, ...row }) =>
    toTask(row),
  );
}
