import { z } from 'zod';
import { Id, Time } from '../schemas.ts';

export const Tag = z.object({ id: Id, name: z.string(), created_at: Time }).meta({ id: 'Tag' });
export type Tag = z.output<typeof Tag>;

export const TagInput = z.strictObject({ name: z.string().trim().toLowerCase().min(1).max(100) });
