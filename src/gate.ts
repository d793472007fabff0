/** A semaphore: a bounded number of holders at once; the others wait in order. */
export interface Gate {
  /** Resolves when it is the caller's turn, with the function that ends the turn (once; later calls do nothing). */
  enter(): Promise<() => void>;
}

export function createGate(places: number): Gate {
  let free = places;
  const line: ((leave: () => void) => void)[] = [];

  function takePlace(): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = line.shift();
      if (next === undefined) free++;
      else next(takePlace());
    };
  }

  return {
    async enter() {
      if (free > 0) {
        free--;
        return takePlace();
      }
      return new Promise((resolve) => line.push(resolve));
    },
  };
}

/** One holder's place in a gate: taken on demand, released on disposal, also if it is granted only after that. */
export interface Slot extends Disposable {
  take(): Promise<void>;
}

export function createSlot(gate: Gate): Slot {
  let taken: Promise<void> | undefined;
  let leave: (() => void) | undefined;
  let over = false;
  return {
    take() {
      taken ??= gate.enter().then((leaveGate) => {
        if (over) leaveGate();
        else leave = leaveGate;
      });
      return taken;
    },
    [Symbol.dispose]() {
      over = true;
      leave?.();
    },
  };
}
