import type { App } from '../../app.ts';
import { insertFirstUser } from '../../db/access/users.ts';
import { newId } from '../../ids.ts';
import { createApiKey } from './create-api-key.ts';
import { hashPassword } from './passwords.ts';
import { newPassword } from './tokens.ts';

export interface FirstAdmin {
  email: string;
  password: string;
  apiKey: string;
}

/** Gives an empty installation its admin; the password and key exist in clear only in this answer. */
export async function ensureFirstAdmin(app: App): Promise<FirstAdmin | undefined> {
  const [id, email, password] = [newId(), 'admin@localhost', newPassword()];
  const passwordHash = await hashPassword(password);
  if (!(await insertFirstUser(app.database, { id, email, passwordHash }))) return undefined;
  const key = await createApiKey(app, { name: 'First key', scopes: ['admin'], rate_limit_rpm: 500 }, id);
  return { email, password, apiKey: key.key };
}
