import { z } from 'zod';
import { PROXY_PURPOSE } from '../../db/admin/sealed-values.ts';
import type { ProxyFields } from '../../db/proxies/proxy-pool.ts';
import type { Secrets } from '../../secrets.ts';
import { meansFields, type OtherNames } from '../other-names.ts';
import { Id, Time } from '../schemas.ts';

export const OffBy = z
  .enum(['person', 'health'])
  .nullable()
  .describe('Who turned it off: failures do so by themselves, and only those come back by themselves.');

/** A proxy as lists show it: its password never leaves. */
export const ProxyInfo = z
  .object({
    id: Id,
    name: z.string(),
    url: z.string(),
    username: z.string().nullable(),
    has_password: z.boolean(),
    country_code: z.string().nullable(),
    city: z.string().nullable(),
    provider: z.string().nullable(),
    monthly_cost: z.number().nullable(),
    max_requests_per_hour: z.number().int().nullable().describe('Null: no limit.'),
    hour_left: z.number().int().nullable().describe('Requests that are left of this hour.'),
    is_active: z.boolean(),
    off_by: OffBy,
    failure_count: z.number().int().describe('Failures in a row.'),
    success_count: z.number().int(),
    avg_response_ms: z.number().nullable(),
    last_used_at: Time.nullable(),
    last_success_at: Time.nullable(),
    last_failure_at: Time.nullable(),
    checked_at: Time.nullable(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Proxy' });
export type ProxyInfo = z.output<typeof ProxyInfo>;

const isProxyUrl = (value: string) => {
  const url = URL.parse(value);
  return url !== null && /^(https?|socks5):$/.test(url.protocol) && url.hostname !== '' && url.pathname.length <= 1;
};

export const ProxyUrl = z
  .string()
  .trim()
  .max(2_048)
  .refine(isProxyUrl, 'an address such as http://proxy.example.com:8080 (http, https or socks5)');

export const CountryCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'two letters such as DE');

const optionalText = (max: number) => z.string().trim().min(1).max(max).nullish();

const Server = z.strictObject({
  url: ProxyUrl,
  username: optionalText(500),
  password: z.string().min(1).max(1_000).nullish(),
});

const otherNames: OtherNames = {
  servers: meansFields(
    z
      .array(Server)
      .length(1, 'one server: each is a proxy of its own, and a domain may have many')
      .describe('Address, user name and password, as a list of one.'),
    ([server]) => ({ ...server }),
    'url',
  ),
  rotation_strategy: meansFields(
    z
      .literal('round_robin', 'round_robin: another order is the proxy_strategy of a domain')
      .describe('Rotation is set for each domain: see its proxy_strategy.'),
    () => ({}),
  ),
};

export const ProxyInput = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    url: ProxyUrl.describe('http, https or socks5; a user name and password in it are kept apart.'),
    username: optionalText(500),
    password: z
      .string()
      .min(1)
      .max(1_000)
      .nullish()
      .describe('Absent on a change: the stored one stays while address and user name do.'),
    country_code: CountryCode.nullish(),
    city: optionalText(100),
    provider: optionalText(200),
    monthly_cost: z
      .number()
      .min(0)
      .max(99_999_999)
      .nullish()
      .describe('In whatever currency you count; for your own records.'),
    max_requests_per_hour: z
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .nullish()
      .describe('Over all domains together; absent or null: no limit.'),
    is_active: z.boolean().optional().describe('As POST /proxies/{id}/enable and disable; absent: a new one is on.'),
  })
  .meta({ otherNames });

/** What is stored: credentials in the address move to their own fields, the password sealed. */
export function toProxyFields(secrets: Secrets, input: z.output<typeof ProxyInput>): ProxyFields {
  const url = new URL(input.url);
  const [inUrlUser, inUrlPassword] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = '';
  url.password = '';
  const password = input.password ?? (inUrlPassword || null);
  return {
    name: input.name,
    url: url.href.replace(/\/$/, ''),
    username: input.username ?? (inUrlUser || null),
    password: password === null ? null : secrets.seal(PROXY_PURPOSE, password),
    country_code: input.country_code ?? null,
    city: input.city ?? null,
    provider: input.provider ?? null,
    monthly_cost: input.monthly_cost ?? null,
    max_requests_per_hour: input.max_requests_per_hour ?? null,
  };
}
