// Opens the embedded database of a folder and holds it until stdin closes. Prints one JSON line when it is open.
//   hold-database.ts FOLDER [SECONDS between the watchdog's looks]
import { createEmbeddedDatabase } from '../../src/drivers/database/embedded.ts';
import type { AppError } from '../../src/errors.ts';

try {
  const database = await createEmbeddedDatabase({
    dataDir: process.argv[2]!,
    poolSize: 1,
    watchdogS: 1,
    durable: false,
  });
  const [row] = await database.query<{ pid: number }>(
    `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`,
  );
  process.stdout.write(`${JSON.stringify({ server: row!.pid, url: database.url, uid: process.getuid?.() })}\n`);
  process.stdin.resume().on('end', async () => {
    await database[Symbol.asyncDispose]();
    process.exit(0);
  });
} catch (error) {
  const { code, message } = error as AppError;
  process.stdout.write(`${JSON.stringify({ code, message })}\n`);
  process.exit(1);
}
