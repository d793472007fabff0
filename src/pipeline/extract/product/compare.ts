import type { ExtractedProduct } from '../types.ts';

export interface FieldDifference {
  field: string;
  live: unknown;
  shadow: unknown;
}

const FIELDS = [
  'name',
  'price',
  'regularPrice',
  'currency',
  'availability',
  'rating',
  'reviewCount',
  'brand',
  'category',
  'sku',
  'gtin',
  'mpn',
] as const;

/** Field by field: what a parser on trial says differently. Images and descriptions are left out: they vary in wording. */
export function compareProducts(
  live: ExtractedProduct | undefined,
  shadow: ExtractedProduct | undefined,
): FieldDifference[] {
  return FIELDS.flatMap((field) => {
    const [a, b] = [live?.[field] ?? null, shadow?.[field] ?? null];
    return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ field, live: a, shadow: b }];
  });
}

/** A product that can be used: it has a name, and a price unless it cannot be bought. */
export function isComplete(product: ExtractedProduct | undefined): boolean {
  if (product?.name === undefined) return false;
  const gone = product.availability === 'out_of_stock' || product.availability === 'discontinued';
  return gone || (product.price !== undefined && product.price !== '0');
}
