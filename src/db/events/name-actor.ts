import { currentActor } from '../../actor.ts';
import type { Transaction } from '../../ports/database.ts';

/** Names who acts for the rest of the transaction: the events that the database writes by itself say so too. */
export async function nameActor(tx: Transaction): Promise<void> {
  await tx.query(`SELECT set_config('crawl4r.actor', $1, true)`, [currentActor()]);
}
