import type { z } from 'zod';
import type { App } from '../../app.ts';
import { findApiKey } from '../../db/access/api-keys.ts';
import { AppError } from '../../errors.ts';
import { type Caller, mayAccess, personOf } from './caller.ts';
import { type CreateApiKeyInput, type CreatedApiKey, createApiKey } from './create-api-key.ts';

type Input = z.output<typeof CreateApiKeyInput>;

/** A key of the caller's own, never wider than the caller: in scopes, in its rate, in time, and in quotas. */
export async function createOwnKey(app: App, caller: Caller, input: Input): Promise<z.output<typeof CreatedApiKey>> {
  const person = personOf(caller);
  if (person === undefined)
    throw new AppError('FORBIDDEN', 'this key belongs to no person, so there are no keys of its own', {
      hint: 'Log in, or use /api/v1/api-keys as an admin.',
    });
  for (const scope of input.scopes)
    if (!mayAccess(caller, scope)) throw tooWide('scopes', `the scope "${scope}"`, caller.scopes.join(', '));
  const { rpm } = caller;
  const rate_limit_rpm = input.rate_limit_rpm ?? Math.min(rpm, app.settings.rateLimit.apiRpm);
  if (rate_limit_rpm > rpm) throw tooWide('rate_limit_rpm', `${rate_limit_rpm} requests a minute`, String(rpm));
  const narrow = {
    ...input,
    rate_limit_rpm,
    ...narrowExpiry(caller, input),
    ...(await narrowQuotas(app, caller, input)),
  };
  return createApiKey(app, narrow, person);
}

/** A key that ends makes no key that outlives it. */
function narrowExpiry(caller: Caller, input: Input): Pick<Input, 'expires_at'> {
  const end = caller.key?.expiresAt ?? undefined;
  if (end === undefined) return {};
  if (input.expires_at === undefined) return { expires_at: end.toISOString() };
  if (new Date(input.expires_at) > end) throw tooWide('expires_at', input.expires_at, end.toISOString());
  return {};
}

/** A key with a quota of its own makes none with a larger one; the person's own quota holds for all of their keys anyway. */
async function narrowQuotas(app: App, caller: Caller, input: Input): Promise<Partial<Input>> {
  const own = caller.key === undefined ? undefined : await findApiKey(app.database, caller.key.id);
  const limits: Partial<Input> = {};
  for (const quota of ['max_open_crawls', 'max_pages_per_day'] as const) {
    const most = own?.[quota] ?? null;
    if (most === null || most === 0) continue;
    const given = input[quota] ?? most;
    if (given === 0 || given > most) throw tooWide(quota, given === 0 ? 'no limit' : String(given), String(most));
    limits[quota] = given;
  }
  return limits;
}

const tooWide = (field: string, asked: string, own: string) =>
  new AppError('FORBIDDEN', `a key cannot be wider than who makes it: ${asked} is more than ${own}`, {
    details: { field: `body.${field}`, most: own },
    hint: 'Ask for less, or let an admin make the key.',
  });
