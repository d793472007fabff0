import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives this process the lowest priority. At nice 19 a thread weighs 15 against the 1024 of a usual one: it takes what is left
 * over. Linux may group processes by session and share the cores between the groups first, whatever is in them
 * (sched_autogroup); then the group steps back too. Some systems forbid either: the process then runs as all others do.
 */
export function stepBack(): void {
  for (const step of [
    () => setPriority(constants.priority.PRIORITY_LOW),
    () => writeFileSync('/proc/self/autogroup', '19'),
  ]) {
    try {
      step();
    } catch {}
  }
}
