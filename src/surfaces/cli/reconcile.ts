import { readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { connect } from './connect.ts';
import { print, printJson, table, talk } from './terminal.ts';

const USAGE = usageOf('reconcile');
/** Every chunk is compared. */
const PATIENCE_MS = 600_000;

/** `crawl4r reconcile`: compares the index with the database, both ways. Ends with 1 when they differ. */
export async function run(args: string[]): Promise<void> {
  const { values } = readArguments(args, USAGE, { repair: { type: 'boolean' } });
  await using api = await connect();
  const found = await api.client.search.reconcileIndex({ repair: values.repair === true }, { timeoutMs: PATIENCE_MS });
  const differences = found.fulltext.missing + found.fulltext.orphaned + found.vectors.missing + found.vectors.orphaned;
  if (differences > 0 && !found.repaired) process.exitCode = 1;
  if (values.json === true) return printJson({ ...found, differences });
  await print(
    table([
      ['', 'missing', 'orphaned'],
      ['keyword', String(found.fulltext.missing), String(found.fulltext.orphaned)],
      ['vectors', String(found.vectors.missing), String(found.vectors.orphaned)],
    ]),
  );
  talk(`${found.chunks} chunks, ${found.waiting} still without a vector`);
  if (differences === 0) talk('database and index agree');
  else talk(found.repaired ? 'repaired; missing rows are being indexed' : 'run with --repair to mend it');
}
