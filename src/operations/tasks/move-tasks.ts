import type { App } from '../../app.ts';
import { type Moved, settleMoves } from '../../db/crawls/settle-crawls.ts';
import { announceMoves } from '../../pipeline/frontier/announce.ts';
import type { Transaction } from '../../ports/database.ts';

/** Moves tasks and the counters of their crawls in one transaction, then wakes the waiters of both. Returns how many moved. */
export async function moveTasks(app: App, move: (tx: Transaction) => Promise<Moved[]>): Promise<number> {
  const { moves, total } = await app.database.transaction(async (tx) => {
    const moved = await move(tx);
    return { moves: moved, total: await settleMoves(tx, moved) };
  });
  await announceMoves(app, moves);
  return total;
}
