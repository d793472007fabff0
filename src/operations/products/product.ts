import { z } from 'zod';
import { Id, Time } from '../schemas.ts';

export const Availability = z.enum(['in_stock', 'out_of_stock', 'preorder', 'backorder', 'discontinued', 'limited']);
const Amount = z.string().describe('A plain decimal, such as "12.5".');

export const Product = z
  .object({
    id: Id,
    url: z.string(),
    domain: z.string(),
    page_id: Id.nullable(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    price: Amount.nullable(),
    regular_price: Amount.nullable().describe('The price it is marked down from.'),
    currency: z.string().nullable().describe('ISO 4217.'),
    availability: Availability.nullable(),
    rating: z.number().nullable().describe('0 to 5.'),
    review_count: z.number().int().nullable(),
    brand: z.string().nullable(),
    category: z.array(z.string()).describe('From the widest to the narrowest.'),
    sku: z.string().nullable(),
    gtin: z.string().nullable(),
    mpn: z.string().nullable(),
    image: z.string().nullable(),
    confidence: z.number(),
    issues: z.array(z.string()).describe('Rules this product breaks, and fields that are uncertain.'),
    parser: z.string(),
    parser_version: z.string(),
    first_seen_at: Time,
    updated_at: Time.describe('When a fact last changed.'),
    checked_at: Time,
    gone_at: Time.nullable().describe('Since when its page is no longer there.'),
  })
  .meta({ id: 'Product' });
export type Product = z.output<typeof Product>;

export const PriceEntry = z
  .object({
    seen_at: Time,
    price: Amount.nullable(),
    regular_price: Amount.nullable(),
    currency: z.string().nullable(),
    availability: Availability.nullable(),
  })
  .meta({ id: 'PriceEntry' });
