import type { App } from '../../app.ts';
import { appendEvents } from '../../db/events/append-events.ts';
import { wakeReaders } from '../../db/events/wake-readers.ts';
import type { Transaction } from '../../ports/database.ts';

/**
 * Runs a change that may take the last proxy out of pools; `change` returns their domains. From then on our own address is
 * seen there, so each is an event and a line in the log.
 */
export async function tellPoolsEmptied(
  app: App,
  change: (tx: Transaction) => Promise<readonly string[]>,
): Promise<void> {
  const domains = await app.database.transaction(async (tx) => {
    const emptied = await change(tx);
    await appendEvents(
      tx,
      emptied.map((domain) => ({ kind: 'domain.proxies_gone', subject: domain, data: { domain } })),
    );
    return emptied;
  });
  if (domains.length === 0) return;
  app.log.warn('domains_without_proxies', { domains });
  await wakeReaders(app.pubsub);
}
