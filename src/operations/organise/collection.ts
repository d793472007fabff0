import { z } from 'zod';
import { Id, Time } from '../schemas.ts';

export const Collection = z
  .object({ id: Id, name: z.string(), description: z.string().nullable(), created_at: Time, updated_at: Time })
  .meta({ id: 'Collection' });

export type Collection = z.output<typeof Collection>;

export const CollectionInput = z.strictObject({
  name: z.string().trim().min(1).max(200),
  description: z
    .string()
    .trim()
    .max(2_000)
    .nullish()
    .transform((value) => value ?? null),
});
