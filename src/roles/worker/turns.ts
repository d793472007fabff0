import type { Bell } from '../../bell.ts';
import { endTurn, markAnswered } from '../../db/frontier/turns.ts';
import { toProxyAddress } from '../../db/proxies/proxy-address.ts';
import { toAppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { TaskTurn } from '../../pipeline/fetch/fetch-page.ts';
import type { Turn } from '../../pipeline/fetch/turn.ts';
import type { Database } from '../../ports/database.ts';
import type { Secrets } from '../../secrets.ts';
import type { HeldTask, HeldTasks } from './held-tasks.ts';

interface TurnsDeps {
  database: Database;
  workerId: string;
  held: HeldTasks;
  bell: Bell;
  log: Log;
  secrets: Secrets;
  /** Whether a domain was blocked after its tasks were claimed. */
  isClosed(domainId: string): boolean;
}

/** Answers are noted together: those of a moment cost one statement. */
const NOTE_AFTER_MS = 10;

/**
 * What a worker's tasks do in the turns of their domains, and what is written to the database:
 *
 *   claimed ── request started ──► the last one of a paced turn: the rest of the turn is released
 *      └────── site has answered ─► the last one of a turn with a delay: released. Else: no longer under way
 *
 * Pages that are read and stored after that, which may take longer than the turn did, block no other request.
 */
export class Turns {
  readonly #deps: TurnsDeps;
  readonly #handedOver = new WeakSet<Turn>();
  #answered: HeldTask[] = [];

  constructor(deps: TurnsDeps) {
    this.#deps = deps;
  }

  /** The task's part in its turn. */
  of(mine: HeldTask): TaskTurn {
    const { id, domain, domain_id, proxy_id, proxy, delay_ms } = mine.task;
    const { secrets } = this.#deps;
    return {
      taskId: id,
      domain,
      domainId: domain_id,
      proxyId: proxy_id,
      get proxy() {
        return proxy === null ? null : toProxyAddress(proxy, secrets);
      },
      delayMs: delay_ms,
      turn: mine.turn,
      isClosed: () => this.#deps.isClosed(domain_id),
      sent: () => {
        if (!mine.turn.isSerial) this.#leaveTurn(mine);
      },
      left: () => this.leave(mine),
    };
  }

  /** The site has answered the requests of this task, or none will be sent any more. */
  leave(mine: HeldTask): void {
    if (mine.askingSince === undefined) return;
    mine.askingSince = undefined;
    if (mine.turn.isFree) return;
    if (this.#handedOver.has(mine.turn)) this.#noteAnswer(mine);
    this.#leaveTurn(mine);
  }

  #leaveTurn(mine: HeldTask): void {
    if (!mine.inTurn || mine.turn.isFree) return;
    mine.inTurn = false;
    if (mine.turn.leave()) void this.#handOver(mine);
  }

  async #handOver({ task, turn }: HeldTask): Promise<void> {
    const { database, workerId, held, bell, log } = this.#deps;
    this.#handedOver.add(turn);
    const answered = [...held].filter((each) => each.turn === turn && each.askingSince === undefined);
    const place = { domainId: task.domain_id, proxyId: task.proxy_id, end: task.turn_end };
    const opensInMs = Math.max(0, turn.opensAt - performance.now());
    try {
      await endTurn(
        database,
        workerId,
        answered.map((each) => each.task),
        place,
        opensInMs,
      );
      bell.ring();
    } catch (error) {
      log.warn('turn_not_handed_over', { error: toAppError(error).message });
    }
  }

  #noteAnswer(mine: HeldTask): void {
    if (this.#answered.push(mine) === 1) setTimeout(() => void this.#flushAnswers(), NOTE_AFTER_MS);
  }

  async #flushAnswers(): Promise<void> {
    const { database, workerId, bell, log } = this.#deps;
    const tasks = this.#answered.map(({ task }) => task);
    this.#answered = [];
    try {
      await markAnswered(database, workerId, tasks);
      bell.ring();
    } catch (error) {
      log.warn('answers_not_noted', { error: toAppError(error).message });
    }
  }
}
