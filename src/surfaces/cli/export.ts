import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createApp } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { AppError } from '../../errors.ts';
import { EXPORT_FORMATS, ExportInput, FILTERS, WHAT } from '../../operations/exports/export-input.ts';
import { type OpenExport, openExport } from '../../operations/exports/open-export.ts';
import { readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { counted, talk } from './terminal.ts';

const USAGE = usageOf('export');
const TELL_EVERY_MS = 1_000;

/** Filters by the name of their option: --collection for collection_id, --min-price for min_price. */
const OPTIONS = new Map(
  [...new Set(WHAT.flatMap((what) => Object.keys(FILTERS[what].shape)))].map((field) => [
    field.replace(/_id$/, '').replaceAll('_', '-'),
    field,
  ]),
);

/** `crawl4r export FORMAT`: to a file, which appears when it is whole, or to stdout. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = readArguments(
    args,
    USAGE,
    { what: text, cursor: text, out: text, ...Object.fromEntries([...OPTIONS.keys()].map((name) => [name, text])) },
    { min: 1, max: 1 },
  );
  const [format = ''] = positionals;
  if (!EXPORT_FORMATS.some((each) => each === format))
    throw new AppError('USAGE', `there is no format "${format}"`, {
      hint: `Use one of: ${EXPORT_FORMATS.join(', ')}.`,
    });
  const filters = [...OPTIONS].flatMap(([name, field]) => (values[name] === undefined ? [] : [[field, values[name]]]));
  const given = { format, what: values.what, cursor: values.cursor, ...Object.fromEntries(filters) };
  const input = ExportInput.safeParse(given);
  if (!input.success) {
    const [issue] = input.error.issues;
    throw new AppError('USAGE', `--${String(issue!.path[0])}: ${issue!.message}`, { hint: `Usage: crawl4r ${USAGE}` });
  }
  const { settings } = currentSettings();
  await using app = await createApp({ ...settings, logLevel: settings.logLevel === 'debug' ? 'debug' : 'error' });
  const open = openExport(app, input.data);
  const out = typeof values.out === 'string' ? values.out : undefined;
  await (out === undefined ? writeOut(open) : writeFile(open, out));
  const { rows, bytes, lastId } = open.progress;
  // With the data on stdout, what is said about it goes where talk goes.
  const summary = { format, file: out ?? null, rows, bytes, last_id: lastId ?? null };
  if (values.json === true) (out === undefined ? process.stderr : process.stdout).write(`${JSON.stringify(summary)}\n`);
  else talk(`${counted(rows, 'row')}, ${bytes} bytes${out === undefined ? '' : ` written to ${out}`}`);
}

const writeOut = (open: OpenExport) => pipeline(told(open), process.stdout, { end: false });

/** Under another name until it is whole. */
async function writeFile(open: OpenExport, path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await pipeline(told(open), createWriteStream(draft, { flags: 'wx' }));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function* told({ body, progress }: OpenExport): AsyncGenerator<Uint8Array> {
  let toldAt = performance.now();
  for await (const piece of body) {
    yield piece;
    if (performance.now() - toldAt < TELL_EVERY_MS) continue;
    toldAt = performance.now();
    talk(`${counted(progress.rows, 'row')}, ${progress.bytes} bytes …`);
  }
}
