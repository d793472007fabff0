/** No id is above this one. */
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * `column < $n`, where null stands for no bound. Unlike `$n IS NULL OR column < $n`, it can be looked up in the index by a
 * statement that is planned once for all values: the millionth row costs what the first does.
 */
export const before = (column: string, parameter: string) => `${column} < coalesce(${parameter}::uuid, '${LAST}')`;
