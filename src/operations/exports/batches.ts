export interface ExportRow {
  id: string;
}

const BATCH = 1_000;

/**
 * Reads a list to its end, a batch at a time, each after the last id of the one before. The next batch is read while this one is
 * written, so that at most two are in memory.
 */
export async function* readBatches<Row extends ExportRow>(
  read: (after: string | undefined, limit: number) => Promise<Row[]>,
  cursor: string | undefined,
  limit = BATCH,
): AsyncGenerator<Row[]> {
  let reading: Promise<Row[]> | undefined = read(cursor, limit);
  while (reading !== undefined) {
    const rows: Row[] = await reading;
    reading = rows.length < limit ? undefined : read(rows.at(-1)!.id, limit);
    // A caller that stops early leaves a read behind that is not awaited.
    reading?.catch(() => {});
    if (rows.length > 0) yield rows;
  }
}

/** Cuts batches further, so that what comes with the rows of a piece stays below `max`, or the piece is one row. */
export async function* splitByWeight<Row>(
  batches: AsyncIterable<Row[]>,
  weigh: (row: Row) => number,
  max: number,
): AsyncGenerator<Row[]> {
  for await (const rows of batches) {
    let piece: Row[] = [];
    let weight = 0;
    for (const row of rows) {
      const own = weigh(row);
      if (piece.length > 0 && weight + own > max) {
        yield piece;
        [piece, weight] = [[], 0];
      }
      piece.push(row);
      weight += own;
    }
    yield piece;
  }
}
