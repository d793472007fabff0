import type { ClaimedTask } from '../../db/frontier/frontier.ts';
import type { Turn } from '../../pipeline/fetch/turn.ts';

export interface HeldTask {
  task: ClaimedTask;
  turn: Turn;
  /** When it was claimed, as long as the site has not answered. */
  askingSince: number | undefined;
  /** Requests of it may still be started in the turn. */
  inTurn: boolean;
}

/**
 * A page whose request takes longer than this no longer takes up a place: sites that answer slowly, or never, would take
 * all places in the end. There may be as many such pages as places.
 */
const SLOW_MS = 3_000;

/** A task that was paused and resumed may be held twice: its older attempt is still on its way back. */
const keyOf = ({ id, attempt }: ClaimedTask) => `${id} ${attempt}`;

/** The tasks a worker has claimed and not yet stored or given back. */
export class HeldTasks {
  readonly #tasks = new Map<string, HeldTask>();
  readonly #inFlight: number;

  constructor(inFlight: number) {
    this.#inFlight = inFlight;
  }

  get size(): number {
    return this.#tasks.size;
  }

  /** How many more tasks the worker may claim. */
  get freePlaces(): number {
    const before = performance.now() - SLOW_MS;
    let slow = 0;
    for (const { askingSince } of this.#tasks.values()) if (askingSince !== undefined && askingSince < before) slow++;
    return this.#inFlight - this.#tasks.size + Math.min(slow, this.#inFlight);
  }

  add(held: HeldTask): void {
    this.#tasks.set(keyOf(held.task), held);
  }

  find(task: ClaimedTask): HeldTask | undefined {
    return this.#tasks.get(keyOf(task));
  }

  remove(task: ClaimedTask): void {
    this.#tasks.delete(keyOf(task));
  }

  [Symbol.iterator](): Iterator<HeldTask> & Iterable<HeldTask> {
    return this.#tasks.values();
  }
}
