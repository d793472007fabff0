import { z } from 'zod';
import { parsePrice } from '../../../pipeline/extract/product/price.ts';
import { runFilter } from './filter.ts';

const Input = z.object({ text: z.string().nullish(), currency_hint: z.string().nullish() });

/** `{id, text, currency_hint?}` → `{id, amount, currency}`: the amount as a plain decimal, the currency as written. */
export function run(): Promise<void> {
  return runFilter((line) => {
    const { text, currency_hint } = Input.parse(line);
    const { amount, currency } = parsePrice(text ?? '', currency_hint ?? undefined);
    return { amount: amount ?? null, currency: currency ?? null };
  });
}
