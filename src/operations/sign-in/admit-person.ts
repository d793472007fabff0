import type { App } from '../../app.ts';
import { type Identity, insertIdentity, touchIdentity } from '../../db/access/identities.ts';
import {
  findUser,
  findUserByEmail,
  insertUser,
  type Role,
  type UserRow,
  updateUserRow,
} from '../../db/access/users.ts';
import { orConflict } from '../../db/unique.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Transaction } from '../../ports/database.ts';
import { isLastAdmin } from '../people/keep-an-admin.ts';

/** What the provider says about the person in front of the browser. */
export interface Claimed extends Identity {
  /** The provider knows that the address is this person's. */
  verified: boolean;
  /** What the role claim says; null: no role. Undefined: roles are given here. */
  role: Role | null | undefined;
}

/**
 * The person an account of the provider belongs to. An account that was seen before decides by itself; a new one is linked by
 * its verified address, to a person who is here or, where the settings let the domain in, to a new one.
 */
export function admitPerson(app: App, claimed: Claimed): Promise<{ id: string; email: string; role: Role }> {
  return app.database.transaction(async (tx) => {
    const known = await touchIdentity(tx, claimed);
    const user = known === undefined ? await linkPerson(app, tx, claimed) : await findUser(tx, known);
    if (user?.is_active !== true) throw refuse('this account is not active', 'Ask an admin to activate it.');
    const role = await updateRole(app, tx, user, claimed.role);
    return { id: user.id, email: user.email, role };
  });
}

async function linkPerson(app: App, tx: Transaction, claimed: Claimed): Promise<UserRow | undefined> {
  const { email } = claimed;
  if (email === undefined || !claimed.verified)
    throw refuse('the provider has not verified your mail address', 'Have it verified there, then sign in again.');
  const id = (await findUserByEmail(tx, email))?.id ?? (await addPerson(app, tx, email, claimed.role));
  if (!(await insertIdentity(tx, id, claimed)))
    throw refuse(
      `${email} belongs to a person who signs in with another account`,
      'If that account is gone, an admin can remove the person and invite you again.',
    );
  return findUser(tx, id);
}

async function addPerson(app: App, tx: Transaction, email: string, claimed: Claimed['role']): Promise<string> {
  const { allowedDomains, defaultRole } = app.settings.oidc;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const open = allowedDomains.some((name) => name === '*' || name.toLowerCase() === domain);
  const role = claimed ?? defaultRole;
  if (!open || role === 'none') throw refuse(`${email} has not been invited`, 'Ask an admin to invite you.');
  const id = newId();
  await orConflict(insertUser(tx, { id, email, role }), `${email} was added a moment ago; sign in again`);
  return id;
}

/** Where a claim decides, the role follows it at every sign-in. The last admin stays one, so that no installation is without one. */
async function updateRole(app: App, tx: Transaction, user: UserRow, claimed: Claimed['role']): Promise<Role> {
  if (claimed === undefined) return user.role;
  const { defaultRole } = app.settings.oidc;
  const role = claimed ?? (defaultRole === 'none' ? null : defaultRole);
  if (role === null) throw refuse('the provider gives you no role here', 'Ask an admin to be given one.');
  if (role === user.role) return role;
  if (user.role === 'admin' && (await isLastAdmin(tx, user.id))) {
    app.log.warn('last_admin_kept', { user: user.id, claimed: role });
    return user.role;
  }
  await updateUserRow(tx, user.id, { email: user.email, role, isActive: user.is_active });
  return role;
}

const refuse = (message: string, hint: string) => new AppError('SIGN_IN_REFUSED', message, { hint });
