import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, processStart } from './process.ts';

/**
 * Users of the server: one file per user, named after its process, holding that process's start time. A process that
 * was killed leaves its file behind; it counts no more, because no process of that pid and start time lives.
 */
export interface Membership {
  leave(): void;
}

export function joinMembers(folder: string): Membership {
  const file = join(folder, `${process.pid}.${randomUUID()}`);
  writeFileSync(file, processStart(process.pid) ?? '');
  return { leave: () => rmSync(file, { force: true }) };
}

/** Counts the users that live, and clears away those that do not. */
export function countMembers(folder: string): number {
  let living = 0;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (isAlive(Number.parseInt(name, 10), readStart(file))) living++;
    else rmSync(file, { force: true });
  }
  return living;
}

function readStart(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
