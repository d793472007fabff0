/** Neither NUL nor half a surrogate pair can be stored as text; pages hold both. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/** Rows as one JSON parameter, with what the database cannot store taken out. */
export function toJson(rows: unknown): string {
  const json = JSON.stringify(rows);
  if (!UNSTORABLE.test(json)) return json;
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  );
}
