import type { z } from 'zod';
import type { App } from '../../app.ts';
import { type DomainChange, upsertDomainPolicy } from '../../db/domains/domain-policy.ts';
import { newId } from '../../ids.ts';
import { BlockDomainInput, blockDomain } from './block-domain.ts';
import { type Domain, type DomainPolicyInput, toDomain, toDomainName } from './domain.ts';
import { unblockDomain } from './unblock-domain.ts';

/** Sets policy; the domain need not be known yet. */
export async function updateDomain(app: App, name: string, input: z.output<typeof DomainPolicyInput>): Promise<Domain> {
  const row = { id: newId(), domain: toDomainName(name) };
  const { is_blocked, ...change } = input;
  const changed = toDomain(await upsertDomainPolicy(app.database, row, change as DomainChange));
  if (is_blocked === undefined || is_blocked === changed.is_blocked) return changed;
  return is_blocked ? blockDomain(app, name, BlockDomainInput.parse({})) : unblockDomain(app, name);
}
