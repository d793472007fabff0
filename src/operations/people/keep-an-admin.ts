import { lockAdmins } from '../../db/access/users.ts';
import { AppError } from '../../errors.ts';
import type { Transaction } from '../../ports/database.ts';

/**
 * True when no admin would be left without this person: no other admin can log in, or, for an admin who cannot log in yet,
 * there is no other at all. Parallel changes to admins wait for each other here, so call it before anything else is locked.
 */
export async function isLastAdmin(tx: Transaction, userId: string): Promise<boolean> {
  const admins = await lockAdmins(tx);
  const person = admins.find(({ id }) => id === userId);
  if (person === undefined) return false;
  const others = admins.filter(({ id }) => id !== userId);
  return person.able ? !others.some(({ able }) => able) : others.length === 0;
}

export async function keepAnAdmin(tx: Transaction, userId: string): Promise<void> {
  if (await isLastAdmin(tx, userId))
    throw new AppError('LAST_ADMIN', 'this is the last active admin, who cannot be removed, demoted or deactivated');
}
