import { z } from 'zod';
import type { App } from '../../app.ts';
import { findQuotaHolders, updateUserQuotas } from '../../db/access/quotas.ts';
import { found } from '../found.ts';
import { Id } from '../schemas.ts';
import { QuotaFields } from './api-key.ts';
import { QuotaReport, reportQuotas } from './quotas.ts';

export const UserQuotasInput = z.strictObject(QuotaFields);

/** The quotas of a person, over all their keys and what they start by hand. */
export const UserQuotas = z
  .object({ user_id: Id, ...QuotaFields, in_force: QuotaReport.omit({ holder: true }) })
  .meta({ id: 'UserQuotas' });
export type UserQuotas = z.output<typeof UserQuotas>;

export async function getUserQuotas(app: App, userId: string): Promise<UserQuotas> {
  const [row] = await findQuotaHolders(app.database, undefined, userId);
  const { id, max_open_crawls, max_pages_per_day } = found(row, 'user', userId);
  const [{ holder: _, ...inForce } = undefined!] = await reportQuotas(app, { createdBy: `user:${id}` });
  return { user_id: id, max_open_crawls, max_pages_per_day, in_force: inForce };
}

export async function setUserQuotas(
  app: App,
  userId: string,
  limits: z.output<typeof UserQuotasInput>,
): Promise<UserQuotas> {
  found(await updateUserQuotas(app.database, userId, limits), 'user', userId);
  return getUserQuotas(app, userId);
}
