import { z } from 'zod';
import { Settings } from './settings.ts';

/** The top level of the settings: plain ones and groups. */
export const GROUPS: Readonly<Record<string, z.ZodType>> = Settings.shape;

/** The fields of a nested group, or undefined for a plain setting. */
export function groupFields(schema: z.ZodType): Record<string, z.ZodType> | undefined {
  const inner = schema instanceof z.ZodPrefault ? schema.def.innerType : schema;
  return inner instanceof z.ZodObject ? (inner.shape as Record<string, z.ZodType>) : undefined;
}

/** `rateLimit` → RATE_LIMIT. */
export const envName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** RATE_LIMIT → `rateLimit`. */
export const propertyName = (name: string) =>
  name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
