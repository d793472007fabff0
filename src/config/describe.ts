import type { z } from 'zod';
import type { LoadedSettings } from './load.ts';
import { envName, GROUPS, groupFields } from './names.ts';

export interface DescribedSetting {
  /** Its environment name. */
  name: string;
  /** As text; a secret only says whether it is set. */
  value: string;
  source: 'environment' | 'file' | 'default';
}

/** Every setting with its current value, for display. Contains no secrets. */
export function describeSettings({
  settings,
  sources,
}: Pick<LoadedSettings, 'settings' | 'sources'>): DescribedSetting[] {
  const describe = (name: string, schema: z.ZodType, value: unknown): DescribedSetting => ({
    name,
    value: isSecret(schema) ? (value === undefined ? '' : '[set]') : asText(value),
    source: sources.get(name) ?? 'default',
  });
  return Object.entries(GROUPS).flatMap(([group, schema]) => {
    const value = (settings as Record<string, unknown>)[group];
    const fields = groupFields(schema);
    if (fields === undefined) return [describe(envName(group), schema, value)];
    return Object.entries(fields).map(([field, inner]) =>
      describe(`${envName(group)}__${envName(field)}`, inner, (value as Record<string, unknown>)[field]),
    );
  });
}

export const isSecret = (schema: z.ZodType) => schema.meta()?.secret === true;

export function asText(value: unknown): string {
  if (value === undefined) return '';
  return Array.isArray(value) ? value.join(',') : String(value);
}
