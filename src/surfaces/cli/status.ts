import { readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { connect } from './connect.ts';
import { describe } from './progress.ts';
import { plain, print, printJson, table, talk } from './terminal.ts';

/** `crawl4r status`: figures, engines, and the latest crawls. */
export async function run(args: string[]): Promise<void> {
  const { values } = readArguments(args, usageOf('status'));
  await using api = await connect();
  const { client } = api;
  const stats = await client.admin.getStats();
  const crawls = await client.crawls.list({ limit: 5 });
  const workers = await client.admin.listWorkers();
  if (values.json === true)
    return printJson({ origin: api.origin ?? null, stats, crawls: crawls.items, workers: workers.items });
  talk(api.origin === undefined ? 'no server runs for this data folder' : `the server is at ${api.origin}`);
  const figures = Object.entries(stats).map(([name, value]) => [
    name.replaceAll('_', ' '),
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([status, count]) => `${count} ${status}`)
          .join(', ') || '0'
      : String(value),
  ]);
  const alive = workers.items.filter((worker) => worker.is_alive).map(({ role }) => role);
  await print(table([...figures, ['roles', alive.join(', ') || 'none']]));
  if (crawls.items.length > 0)
    await print(
      `\n${table(crawls.items.map((crawl) => [crawl.id, crawl.status, describe(crawl), plain(crawl.urls[0] ?? '')]))}`,
    );
}
