import type { Bell } from '../../bell.ts';
import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import { askAgain, endTurn } from '../../db/frontier/turns.ts';
import { toAppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Turn } from '../../pipeline/fetch/turn.ts';
import type { Database } from '../../ports/database.ts';
import type { HeldTask, HeldTasks } from './held-tasks.ts';

interface TurnsDeps {
  database: Database;
  workerId: string;
  held: HeldTasks;
  bell: Bell;
  log: Log;
}

/** Ends the turns of a worker's domains in the database as soon as nothing more is sent in them. */
export class Turns {
  readonly #deps: TurnsDeps;
  readonly #handOvers = new WeakMap<Turn, Promise<void>>();

  constructor(deps: TurnsDeps) {
    this.#deps = deps;
  }

  /**
   * The site has answered what was asked for this task. After the last one of a turn the domain is open to all: pages
   * that are read and stored meanwhile, which may take longer than the turn did, hold nobody up.
   */
  leave(held: HeldTask): void {
    if (held.askingSince === undefined) return;
    held.askingSince = undefined;
    if (held.task.delay_ms === 0 || !held.turn.leave()) return;
    this.#handOvers.set(held.turn, this.#handOver(held));
  }

  /** Keeps the domain from giving turns until the task is stored: its page was answered, and is asked for once more. */
  async askAgain(task: ClaimedTask): Promise<void> {
    const { database, workerId, held } = this.#deps;
    const mine = held.find(task);
    if (mine === undefined || task.delay_ms === 0) return;
    mine.askedAgain = true;
    // Else the hand-over could come last, and open the domain while the page is asked for.
    await this.#handOvers.get(mine.turn);
    await askAgain(database, workerId, task);
  }

  async #handOver({ task, turn }: HeldTask): Promise<void> {
    const { database, workerId, held, bell, log } = this.#deps;
    const answered = [...held].filter((each) => each.turn === turn && !each.askedAgain).map((each) => each.task);
    const place = { domainId: task.domain_id, proxyId: task.proxy_id, end: task.turn_end };
    try {
      await endTurn(database, workerId, answered, place, Math.max(0, turn.opensAt - performance.now()));
      bell.ring();
    } catch (error) {
      log.warn('turn_not_handed_over', { error: toAppError(error).message });
    }
  }
}
