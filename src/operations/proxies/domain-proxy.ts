import { z } from 'zod';
import type { DomainProxyRow } from '../../db/proxies/domain-proxies.ts';
import { DomainParams } from '../domains/domain.ts';
import { Id, Time } from '../schemas.ts';
import { OffBy } from './proxy.ts';

/** A proxy in the pool of a domain, with how it does there. */
export const DomainProxy = z
  .object({
    proxy_id: Id,
    name: z.string(),
    url: z.string(),
    country_code: z.string().nullable(),
    city: z.string().nullable(),
    is_active: z.boolean().describe('On for this domain, and on at all.'),
    off_by: OffBy,
    priority: z.number().int(),
    position: z.number().int().describe('Its place in the order that round_robin goes by.'),
    use_count: z.number().int(),
    success_count: z.number().int(),
    failure_count: z.number().int().describe('Failures in a row.'),
    success_rate: z.number().nullable(),
    avg_response_ms: z.number().nullable(),
    last_used_at: Time.nullable(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'DomainProxy' });
export type DomainProxy = z.output<typeof DomainProxy>;

export const DomainProxyParams = DomainParams.extend({ proxyId: Id });

export const toDomainProxy = (row: DomainProxyRow): DomainProxy => ({
  ...row,
  is_active: row.is_active && row.proxy_is_active,
  success_rate: row.use_count === 0 ? null : Math.min(1, row.success_count / row.use_count),
});
