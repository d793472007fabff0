import type { z } from 'zod';
import type { App } from '../../app.ts';
import { type DomainChange, upsertDomainPolicy } from '../../db/domains/domain-policy.ts';
import { newId } from '../../ids.ts';
import { type Domain, type DomainPolicyInput, toDomain, toDomainName } from './domain.ts';

/** Sets policy; the domain need not be known yet. */
export async function updateDomain(app: App, name: string, input: z.output<typeof DomainPolicyInput>): Promise<Domain> {
  const row = { id: newId(), domain: toDomainName(name) };
  return toDomain(await upsertDomainPolicy(app.database, row, input as DomainChange));
}
