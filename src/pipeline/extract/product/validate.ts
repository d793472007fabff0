import type { Claims } from './fields.ts';

const WANTED = ['name', 'price', 'currency', 'availability', 'images'] as const;
const LOW = 0.5;

/** The rules a product should keep. One that breaks some is kept all the same; this says which. */
export function findIssues(claims: Claims): string[] {
  const issues: string[] = [];
  const fields = claims.fields();
  for (const name of WANTED) if (fields[name] === undefined) issues.push(`${name}_missing`);
  if (fields.name !== undefined && fields.name.length > 500) issues.push('name_too_long');
  const price = fields.price === undefined ? undefined : Number(fields.price);
  if (price === 0) issues.push('price_zero');
  if (price !== undefined && price >= 1e12) issues.push('price_too_high');
  if (price !== undefined && fields.regularPrice !== undefined && Number(fields.regularPrice) < price)
    issues.push('regular_price_below_price');
  if (fields.rating !== undefined && (fields.rating < 0 || fields.rating > 5)) issues.push('rating_out_of_range');
  for (const [name, { confidence }] of Object.entries(claims.origins()))
    if (confidence < LOW) issues.push(`${name}_low_confidence`);
  return issues;
}
