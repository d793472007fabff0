import type { App } from '../../app.ts';
import { type DomainRow, lockDomainActive } from '../../db/domains/domain-policy.ts';
import { appendEvents } from '../../db/events/append-events.ts';
import { wakeReaders } from '../../db/events/wake-readers.ts';
import type { Transaction } from '../../ports/database.ts';

/** Runs a statement that may block or open a domain, and logs it when it did. */
export async function switchDomain<Row extends DomainRow | undefined>(
  app: App,
  domain: string,
  work: (tx: Transaction) => Promise<Row>,
): Promise<Row> {
  const row = await app.database.transaction(async (tx) => {
    const wasActive = (await lockDomainActive(tx, domain)) ?? true;
    const after = await work(tx);
    if (after !== undefined && after.is_active !== wasActive)
      await appendEvents(tx, [
        after.is_active
          ? { kind: 'domain.unblocked', subject: domain, data: { domain } }
          : { kind: 'domain.blocked', subject: domain, data: { domain, reason: after.blocked_reason } },
      ]);
    return after;
  });
  await wakeReaders(app.pubsub);
  return row;
}
