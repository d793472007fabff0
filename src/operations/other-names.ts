import type { z } from 'zod';

/**
 * Names of the design that an input takes besides its own: another name of a field, or a value that stands for several.
 * A schema carries them as `meta({ otherNames })`. The edge replaces them before it parses, and the API document lists them.
 */
export type OtherNames = Readonly<Record<string, string | MeansFields>>;

export interface MeansFields {
  takes: z.ZodType;
  /** A required field that it gives. */
  insteadOf?: string | undefined;
  fields(value: never): Record<string, unknown>;
}

/** What a value stands for; fields that are given themselves win over it. */
export const meansFields = <Schema extends z.ZodType>(
  takes: Schema,
  fields: (value: z.output<Schema>) => Record<string, unknown>,
  insteadOf?: string,
): MeansFields => ({ takes, fields, insteadOf });

export const otherNamesOf = (schema: z.ZodType) => (schema.meta()?.otherNames ?? {}) as OtherNames;
