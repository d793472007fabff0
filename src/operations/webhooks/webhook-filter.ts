import { z } from 'zod';
import type { EventData } from '../../db/events/kinds.ts';
import { compilePattern } from '../../web/pattern.ts';
import { Id } from '../schemas.ts';

const MAX_ENTRIES = 100;

export const WebhookFilter = z
  .strictObject({
    domains: z
      .array(z.string().trim().toLowerCase().min(1).max(253))
      .min(1)
      .max(MAX_ENTRIES)
      .optional()
      .describe('Hosts, with those below them: example.com holds www.example.com too.'),
    collection_ids: z.array(Id).min(1).max(MAX_ENTRIES).optional(),
    source_ids: z.array(Id).min(1).max(MAX_ENTRIES).optional(),
    url_pattern: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('As include_patterns of a crawl: * stands for anything, | parts alternatives.'),
    min_price_change_percent: z
      .number()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('For product.price_changed alone: smaller changes of the price are left out.'),
  })
  .describe('Only events that fit all that is given. Alerts and events of webhooks are about no page and always fit.')
  .meta({ id: 'WebhookFilter' });
export type WebhookFilter = z.output<typeof WebhookFilter>;

/** What a filter looks at. */
export interface Facts {
  urls: readonly string[];
  collection_id: string | null;
  source_id: string | null;
  /** In percent; only for prices. */
  price_change?: number;
}

/** A filter as a function. It is linear in the length of the addresses, whatever the pattern. */
export function compileFilter(filter: WebhookFilter): (facts: Facts) => boolean {
  const { domains, collection_ids, source_ids, min_price_change_percent: least } = filter;
  const matches = filter.url_pattern === undefined ? undefined : compilePattern(filter.url_pattern);
  return ({ urls, collection_id, source_id, price_change }) =>
    (domains === undefined || urls.some((url) => isWithin(url, domains))) &&
    (collection_ids === undefined || (collection_id !== null && collection_ids.includes(collection_id))) &&
    (source_ids === undefined || (source_id !== null && source_ids.includes(source_id))) &&
    (matches === undefined || urls.some(matches)) &&
    (least === undefined || price_change === undefined || price_change >= least);
}

function isWithin(url: string, domains: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { host, hostname } = new URL(url);
  return domains.some((domain) => host === domain || hostname === domain || hostname.endsWith(`.${domain}`));
}

/** By how much a price changed, up or down. From or to no price, and into another currency, is more than any percentage. */
export function priceChange({ before, after }: EventData<'product.price_changed'>): number {
  const [from, to] = [Number(before.price), Number(after.price)];
  if (before.price === null || after.price === null || before.currency !== after.currency || !(from > 0))
    return Number.POSITIVE_INFINITY;
  return (Math.abs(to - from) / from) * 100;
}
