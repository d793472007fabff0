import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, createApp } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { AppError } from '../../errors.ts';
import { getImport } from '../../operations/imports/get-import.ts';
import { archiveName, type Import } from '../../operations/imports/import.ts';
import { endImport, readImport } from '../../operations/imports/read-import.ts';
import { ImportInput, startImport } from '../../operations/imports/start-import.ts';
import type { ArchiveFile } from '../../pipeline/archive/archive-file.ts';
import { runEngine } from '../../roles/engine.ts';
import { readServerFile } from '../server-file.ts';
import { readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { openClient } from './connect.ts';
import { createProgressView, describe } from './progress.ts';
import { counted, printJson, table, talk } from './terminal.ts';

const USAGE = usageOf('import');
const LOOK_MS = 300;

/** `crawl4r import FILE…`: reads archives as if they had been fetched, and waits until their pages are read. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { collection: text, tags: text, wait: { type: 'boolean' } } as const;
  const { values, positionals } = readArguments(args, USAGE, options, { min: 1, max: 1_000 });
  const input = ImportInput.safeParse({ collection_id: values.collection, tags: values.tags });
  if (!input.success) throw new AppError('USAGE', input.error.issues[0]!.message, { hint: `Usage: crawl4r ${USAGE}` });
  const files = await Promise.all(positionals.map(openFile));
  const { settings } = currentSettings();
  await using app = await createApp({ ...settings, logLevel: settings.logLevel === 'debug' ? 'debug' : 'error' });
  const stop = new AbortController();
  // Where a server runs, it parses what is stored here; else this process does, for as long as it takes.
  const engine = (await isServed(settings.dataDir)) ? undefined : runEngine(app, stop.signal);
  const done: Import[] = [];
  try {
    for (const file of files) {
      const started = await startImport(app, { ...input.data, name: file.name, createdBy: 'cli' });
      talk(`${file.name}: crawl ${started.id}`);
      await readImport(app, started.id, file, {
        onBatch: ({ records, taken }) => talk(`${counted(records, 'record')} read, ${counted(taken, 'page')} taken`),
      }).catch(async (error: unknown) => {
        await endImport(app, started.id, error instanceof AppError ? error : undefined);
        throw error;
      });
      done.push(values.wait === false ? await getImport(app, started.id) : await follow(app, started.id));
    }
  } finally {
    stop.abort();
    await engine;
  }
  for (const each of done) await summarise(each, values.json === true);
  const damaged = done.find(({ problem }) => problem !== null);
  if (damaged !== undefined) throw new AppError('ARCHIVE_INVALID', `${damaged.name}: ${damaged.problem!.message}`);
  if (done.every(isFruitless)) throw new AppError('NOTHING_FETCHED', 'no page was taken from these files');
}

/** An archive that was imported before has nothing new: that is no failure. */
const isFruitless = ({ taken, refused }: Import) => taken === 0 && refused.NOT_NEWER === undefined;

async function openFile(path: string): Promise<ArchiveFile> {
  const found = await stat(path).catch((error: unknown) => {
    throw new AppError('USAGE', `${path} cannot be read`, {
      cause: error,
      hint: 'Give the path of a WARC or WACZ file.',
    });
  });
  if (!found.isFile()) throw new AppError('USAGE', `${path} is no file`);
  return {
    name: archiveName(path),
    size: found.size,
    async *read(start, end) {
      // The end of a stream is the last byte, not the one behind it.
      if (end === undefined || end > start)
        yield* createReadStream(path, { start, ...(end === undefined ? {} : { end: end - 1 }) });
    },
  };
}

async function isServed(dataDir: string): Promise<boolean> {
  const known = readServerFile(dataDir);
  if (known === undefined) return false;
  const answer = await openClient(known.origin, known.key, false)
    .admin.getHealth({ retries: 0 })
    .catch(() => undefined);
  return answer !== undefined;
}

async function follow(app: App, id: string): Promise<Import> {
  const view = createProgressView(process.stderr);
  try {
    for (;;) {
      const state = await getImport(app, id);
      if (state.crawl.completed_at !== null) return state;
      view.show(state.crawl);
      await sleep(LOOK_MS);
    }
  } finally {
    view.end();
  }
}

async function summarise(done: Import, json: boolean): Promise<void> {
  if (json) return printJson(done);
  talk(`${done.name}: ${done.crawl.status}, ${describe(done.crawl)}`);
  const reasons = Object.entries(done.refused).map(([code, { count }]) => [`  ${code}`, counted(count, 'record')]);
  if (reasons.length > 0) talk(`not taken:\n${table(reasons)}`);
}
