import { z } from 'zod';
import type { App } from '../../app.ts';
import { findUserView } from '../../db/access/user-views.ts';
import { insertUser } from '../../db/access/users.ts';
import { orConflict } from '../../db/unique.ts';
import { newId } from '../../ids.ts';
import { Email, PasswordLink, RoleInput, User } from './user.ts';
import { writeLink } from './write-link.ts';

export const CreateUserInput = z.strictObject({ email: Email, role: RoleInput.default('viewer') });

export const CreatedUser = User.extend({ invite: PasswordLink }).meta({ id: 'CreatedUser' });

/** A person without a password, and the link to choose one. */
export function createUser(app: App, input: z.output<typeof CreateUserInput>): Promise<z.output<typeof CreatedUser>> {
  const id = newId();
  return app.database.transaction(async (tx) => {
    await orConflict(insertUser(tx, { id, ...input }), `there is a person with the address ${input.email} already`);
    const invite = await writeLink(tx, id, 'invite');
    return { ...(await findUserView(tx, id))!, invite };
  });
}
