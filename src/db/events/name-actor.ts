import { currentActor } from '../../actor.ts';
import type { Transaction } from '../../ports/database.ts';

/** Sets the actor for the rest of the transaction: events written by triggers name it too. */
export async function nameActor(tx: Transaction): Promise<void> {
  await tx.query(`SELECT set_config('crawl4r.actor', $1, true)`, [currentActor()]);
}
