import type { z } from 'zod';

/** What a column of a table holds: decides how it is written in formats that have types. */
export type ColumnType = 'text' | 'int' | 'number' | 'bool' | 'time' | 'json';

export interface Column {
  name: string;
  type: ColumnType;
}

const TYPES: Record<string, ColumnType | undefined> = {
  boolean: 'bool',
  date: 'time',
  array: 'json',
  record: 'json',
  object: 'json',
};

/** The columns of a model, in its order: what the API shows is what an export holds. */
export const columnsOf = (model: z.ZodObject): Column[] =>
  Object.entries(model.shape).map(([name, field]) => ({ name, type: typeOf(field as z.ZodType) }));

function typeOf(field: z.ZodType): ColumnType {
  const { def } = field as unknown as { def: { type: string; innerType?: z.ZodType } };
  if (def.innerType !== undefined) return typeOf(def.innerType);
  if (def.type === 'number') return (field as z.ZodNumber).format === 'safeint' ? 'int' : 'number';
  return TYPES[def.type] ?? 'text';
}
