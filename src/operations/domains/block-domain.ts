import { z } from 'zod';
import type { App } from '../../app.ts';
import { setDomainActive } from '../../db/domains/domain-policy.ts';
import { newId } from '../../ids.ts';
import { tellDomainSwitch } from '../../pipeline/frontier/closed-domains.ts';
import { type Domain, toDomain, toDomainName } from './domain.ts';
import { switchDomain } from './switch-domain.ts';

export const BlockDomainInput = z.strictObject({
  reason: z.string().trim().max(500).default('blocked by an operator'),
});

/** The kill switch: nothing is claimed for the domain any more; its waiting tasks wait. */
export async function blockDomain(app: App, name: string, input: z.output<typeof BlockDomainInput>): Promise<Domain> {
  const row = { id: newId(), domain: toDomainName(name) };
  const closed = await switchDomain(app, row.domain, (tx) => setDomainActive(tx, row, false, input.reason));
  await tellDomainSwitch(app.pubsub, closed);
  return toDomain(closed);
}
