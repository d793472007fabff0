import pg from 'pg';

/**
 * How values come back: int8 and numeric as numbers (nothing of ours exceeds 2^53), date as its own text, since a day
 * is not a moment; the rest as the client does it.
 */
const { builtins } = pg.types;
const parsers = new Map<number, (value: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.DATE, (value) => value],
  [1016, numberArray],
  [1231, numberArray],
]);

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    (format !== 'binary' ? parsers.get(oid) : undefined) ?? pg.types.getTypeParser(oid, format)) as never,
};

function numberArray(value: string): (number | null)[] {
  if (value === '{}') return [];
  return value
    .slice(1, -1)
    .split(',')
    .map((entry) => (entry === 'NULL' ? null : Number(entry)));
}
