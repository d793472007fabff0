import { z } from 'zod';
import type { DomainRow } from '../../db/domains/domain-policy.ts';
import { AppError } from '../../errors.ts';
import { parseUrl } from '../../web/url.ts';
import type { OtherNames } from '../other-names.ts';
import { Time } from '../schemas.ts';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 02:30');

const isTimeZone = (name: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};
export const TimeZone = z.string().max(64).refine(isTimeZone, 'a time zone such as Europe/Berlin');

/** Hours in which a site must be left alone. */
const MaintenanceWindow = z.strictObject({
  days: z.array(z.number().int().min(0).max(6)).optional().describe('0 is Sunday; absent: every day.'),
  from: clock,
  to: clock.describe('Before `from`: the window runs over midnight.'),
  time_zone: TimeZone.default('UTC'),
});

const nullable = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();
const ProxyStrategy = z.enum(['round_robin', 'least_used', 'random', 'lru']);

/** Only the fields given change; null goes back to the default. */
export const DomainPolicyInput = z
  .strictObject({
    rate_limit_rps: nullable(z.number().positive().max(1_000)),
    max_concurrency: nullable(z.number().int().min(1).max(1_000)),
    autothrottle: z.boolean().optional(),
    maintenance_windows: z.array(MaintenanceWindow).max(50).optional(),
    user_agent: nullable(z.string().trim().min(1).max(500)),
    parser: nullable(z.string().trim().min(1).max(100)),
    shadow_parser: nullable(z.string().trim().min(1).max(100)),
    recrawl_interval_s: nullable(z.number().int().min(60)).describe(
      'Time between visits to start with, for recurring crawls that name none.',
    ),
    proxy_strategy: ProxyStrategy.optional().describe(
      'round_robin: in the order of assignment; lru: the one that rested longest; least_used: the fewest requests; random.',
    ),
    proxy_country: nullable(
      z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z]{2}$/, 'two letters such as DE'),
    ).describe('Only proxies of this country are used.'),
    uses_proxies: z.boolean().optional(),
    circuit_threshold: nullable(z.number().int().min(1).max(1_000)),
    circuit_timeout_s: nullable(z.number().int().min(1).max(86_400)),
    is_blocked: z.boolean().optional().describe('As POST /domains/{domain}/block and unblock.'),
  })
  .meta({
    otherNames: {
      circuit_breaker_threshold: 'circuit_threshold',
      circuit_breaker_timeout_s: 'circuit_timeout_s',
    } satisfies OtherNames,
  });

export const Domain = z
  .object({
    domain: z.string(),
    is_blocked: z.boolean(),
    blocked_reason: z.string().nullable(),
    rate_limit_rps: z.number().nullable().describe('Null: the default of the settings.'),
    crawl_delay_ms: z.number().int().describe('What its robots.txt asks for.'),
    throttle_ms: z.number().int().describe('Extra delay after 429, 503, or growing latency.'),
    autothrottle: z.boolean(),
    max_concurrency: z.number().int().nullable(),
    maintenance_windows: z.array(z.unknown()),
    user_agent: z.string().nullable(),
    parser: z.string().nullable(),
    shadow_parser: z.string().nullable(),
    recrawl_interval_s: z.number().int().nullable(),
    proxy_strategy: ProxyStrategy,
    proxy_country: z.string().nullable(),
    uses_proxies: z.boolean(),
    stalled_by: z
      .enum(['DOMAIN_BLOCKED', 'MAINTENANCE', 'PROXY_UNAVAILABLE', 'CIRCUIT_OPEN'])
      .nullable()
      .describe('Why nothing of it is fetched now, whatever waits.'),
    next_request_at: Time.nullable(),
    circuit: z.object({
      state: z.enum(['closed', 'open', 'half_open']),
      failures: z.number().int(),
      until: Time.nullable(),
      threshold: z.number().int().nullable(),
      timeout_s: z.number().int().nullable(),
    }),
    latency_ms: z.number().nullable(),
    pages_fetched: z.number().int(),
    pages_failed: z.number().int(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Domain' });
export type Domain = z.output<typeof Domain>;

export function toDomain(row: DomainRow): Domain {
  const { circuit_state, circuit_failures, circuit_until, circuit_threshold, circuit_timeout_s, ...rest } = row;
  return {
    ...rest,
    is_blocked: !row.is_active,
    next_request_at: row.next_at,
    circuit: {
      state: circuit_state,
      failures: circuit_failures,
      until: circuit_until,
      threshold: circuit_threshold,
      timeout_s: circuit_timeout_s,
    },
  };
}

export const DomainParams = z.strictObject({
  domain: z.string().trim().min(1).max(260).describe('A registrable domain, or host:port for addresses.'),
});

/** The unit of politeness a name belongs to: www.example.co.uk → example.co.uk. */
export function toDomainName(name: string): string {
  const parsed = parseUrl(`http://${name}/`);
  if (!parsed.ok || /[/?#@\s]/.test(name))
    throw new AppError('VALIDATION_FAILED', `"${name}" is not a domain`, {
      details: { 'path.domain': 'a name such as example.com' },
      hint: 'Give a domain such as example.com, without scheme and path.',
    });
  return parsed.domain;
}

/** What uploads without an address are filed under: no site has this name. */
export const UPLOAD_DOMAIN = 'upload';

/** A domain to filter by: as toDomainName, or the uploads. */
export const toDomainFilter = (name: string): string => (name === UPLOAD_DOMAIN ? name : toDomainName(name));
