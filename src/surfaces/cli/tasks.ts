import type { Page } from '../../operations/paging.ts';
import type { Task } from '../../operations/task.ts';
import { readArguments, readNumber } from './arguments.ts';
import { connect } from './connect.ts';
import { plain, print, printJson, table, talk } from './terminal.ts';

const USAGE = 'tasks [--crawl ID] [--status STATUS] [--code CODE] [--domain DOMAIN] [--limit N] [--json]';

/** `crawl4r tasks`: pages, newest first, fetched or not, and why. With --json one task a line. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = readArguments(args, USAGE, { crawl: text, status: text, code: text, domain: text, limit: text });
  const wanted = readNumber(values, 'limit', 1) ?? 50;
  await using api = await connect();
  const query = new URLSearchParams();
  for (const [name, field] of Object.entries({ crawl: 'crawl_id', status: 'status', code: 'code', domain: 'domain' }))
    if (typeof values[name] === 'string') query.set(field, values[name]);
  const found: Task[] = [];
  while (found.length < wanted) {
    query.set('limit', String(Math.min(200, wanted - found.length)));
    const page: Page<Task> = await api.call('GET', `/tasks?${query}`);
    found.push(...page.items);
    if (page.next_cursor === null) break;
    query.set('cursor', page.next_cursor);
  }
  if (values.json === true) for (const task of found) await printJson(task);
  else if (found.length > 0)
    await print(table(found.map((task) => [task.id, task.status, task.code ?? '', plain(task.url)])));
  talk(`${found.length} tasks`);
}
