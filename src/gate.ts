/** Lets a bounded number of holders in at once; the others wait in line. */
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

/** One holder's place, taken when it is needed and left for good at the end, even if it only comes then. */
export interface Room extends Disposable {
  take(): Promise<void>;
}

export function createRoom(gate: Gate): Room {
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
