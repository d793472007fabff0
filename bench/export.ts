import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type App, createApp } from '../src/app.ts';
import { loadSettings } from '../src/config/load.ts';
import { EXPORT_FORMATS, ExportInput } from '../src/operations/exports/export-input.ts';
import { openExport } from '../src/operations/exports/open-export.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/**
 * How fast rows are exported, and in how much memory. Each format is read to its end in this process, with back-pressure as an HTTP
 * answer has it; the peak is that of the program alone, sampled while it runs, and the database is not counted.
 *
 *   --rows N       pages that are exported (1000000)
 *   --formats A,B  jsonl, csv, parquet by default
 *   --json         only the last line
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    formats: { type: 'string', default: 'jsonl,csv,parquet' },
    json: { type: 'boolean', default: false },
  },
});
const rows = Number(values.rows);
const talk = (text: string) => {
  if (!values.json) console.error(text);
};
const toMb = (bytes: number) => Math.round(bytes / 104_857.6) / 10;

await using folder = await createTemporaryFolder('export');
await using app = await createApp(
  loadSettings({ APP_ENV: 'test', DATA_DIR: folder.path, LOG_LEVEL: 'error' }).settings,
);
talk(`filling ${rows} rows …`);
await fill(app);

const result: Record<string, object> = {};
for (const format of values.formats.split(',')) {
  if (!EXPORT_FORMATS.some((each) => each === format)) throw new Error(`there is no format ${format}`);
  result[format] = await measure(app, format);
  talk(`${format}: ${JSON.stringify(result[format])}`);
}
console.log(JSON.stringify({ rows, cores: availableParallelism(), load: loadavg()[0], formats: result }));

/** Pages and documents of one site; without the triggers and with the indexes the lists use. */
async function fill({ database }: App): Promise<void> {
  await database.query(`INSERT INTO domains (id, domain) VALUES (gen_random_uuid(), 'site.example')`);
  for (let at = 0; at < rows; at += 100_000)
    await database.query(
      `INSERT INTO pages (id, url, url_hash, domain_id, title, description, language, http_status, content_type, content_length, visits,
         last_crawled_at)
       SELECT uuidv7(), 'https://site.example/articles/' || n, sha256(n::text::bytea), (SELECT id FROM domains), 'Article number ' || n,
         'What article ' || n || ' is about, in a sentence of the usual length.', 'en', 200, 'text/html; charset=utf-8', 20000 + n % 9000, 1, now()
       FROM generate_series($1::int, $2::int) n`,
      [at + 1, Math.min(rows, at + 100_000)],
    );
  await database.query('VACUUM (ANALYZE) pages');
}

async function measure(app: App, format: string): Promise<object> {
  let peak = process.memoryUsage.rss();
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  const started = performance.now();
  const open = openExport(app, ExportInput.parse({ format, what: 'pages' }));
  let longest = 0;
  let last = started;
  for await (const _ of open.body) {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    // As a socket that is full from time to time: others get their turn.
    await new Promise((done) => setImmediate(done));
  }
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1_000;
  if (open.progress.rows !== rows) throw new Error(`${open.progress.rows} of ${rows} rows were exported`);
  return {
    rows_per_second: Math.round(rows / seconds),
    seconds: Math.round(seconds * 10) / 10,
    mb: toMb(open.progress.bytes),
    peak_rss_mb: toMb(peak),
    longest_piece_ms: Math.round(longest),
  };
}
