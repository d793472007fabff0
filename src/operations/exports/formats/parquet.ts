import type { BasicType, ColumnSource } from 'hyparquet-writer';
import type { ExportRow } from '../batches.ts';
import type { Column, ColumnType } from '../columns.ts';

/** A row group is encoded in one go, in memory and on this thread: few enough rows that other requests do not wait for long. */
const GROUP_ROWS = 4_000;
const GROUP_CHARACTERS = 4_000_000;

const TYPES: Record<ColumnType, BasicType> = {
  text: 'STRING',
  int: 'INT32',
  number: 'DOUBLE',
  bool: 'BOOLEAN',
  time: 'TIMESTAMP',
  json: 'JSON',
};

/** Parquet with real types, a row group at a time; every column may be null. Rows of no kind make a valid file too. */
export async function* writeParquet(
  batches: AsyncIterable<ExportRow[]>,
  columns: readonly Column[],
): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const sink = new ByteWriter();
  const toData = (rows: readonly ExportRow[]): ColumnSource[] =>
    columns.map(({ name, type }) => ({
      name,
      type: TYPES[type],
      data: rows.map((row) => (row as never)[name] ?? null),
      nullable: true,
      offsetIndex: false,
      // Min and max do not help to find a text, and of a long one they cost as much as the column.
      statistics: type === 'int' || type === 'number' || type === 'time',
    }));
  const writer = new ParquetWriter({ writer: sink, schema: schemaFromColumnData({ columnData: toData([]) }) });
  const take = () => {
    const bytes = Buffer.from(sink.getBuffer());
    sink.index = 0;
    return bytes;
  };

  let group: ExportRow[] = [];
  let characters = 0;
  for await (const rows of batches)
    for (const row of rows) {
      group.push(row);
      characters += textOf(row);
      if (group.length < GROUP_ROWS && characters < GROUP_CHARACTERS) continue;
      await writer.write({ columnData: toData(group), rowGroupSize: group.length });
      [group, characters] = [[], 0];
      yield take();
    }
  if (group.length > 0) await writer.write({ columnData: toData(group), rowGroupSize: group.length });
  await writer.finish();
  yield take();
}

const textOf = (row: ExportRow) => ('content' in row && typeof row.content === 'string' ? row.content.length : 0);
