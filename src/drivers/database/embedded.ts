import { join } from 'node:path';
import { folderError, usingFolder } from '../../config/data-folder.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../ports/database.ts';
import { chooseAccount } from './embedded/account.ts';
import { findBinaries } from './embedded/binaries.ts';
import { prepareCluster, SUPERUSER } from './embedded/cluster.ts';
import { type Layout, prepareFolder, prepareSocketFolder, removeSocketFolder } from './embedded/folder.ts';
import { withLock } from './embedded/lock.ts';
import { countMembers, joinMembers } from './embedded/members.ts';
import { findServer, startServer, stopServer } from './embedded/server.ts';
import { startWatchdog, stopWatchdog } from './embedded/watchdog.ts';
import { createPostgresDatabase, ensureDatabase } from './postgres.ts';

export interface EmbeddedOptions {
  /** The data folder; the server lives in `postgres` inside it. */
  dataDir: string;
  poolSize?: number;
  preparedStatements?: boolean;
  sharedBuffersMb?: number;
  /** False for a database that is thrown away: nothing waits for the disk. */
  durable?: boolean;
  /** Seconds between the watchdog's looks; a server without users is stopped at the second look. */
  watchdogS?: number;
}

/**
 * A PostgreSQL server in the data folder, started by the first process that needs it and shared by all.
 *
 *   first process ── starts the server and its watchdog ──┐
 *   next ones ────── find it running and join ────────────┤ each leaves a member file
 *   a process ends ─ takes its file away; the last one stops the server
 *   killed ───────── its file counts no more: the next start joins the server, or the watchdog stops it
 *   server killed ── the next statement that finds it gone starts it again
 *
 * Everything that starts, joins or stops happens under one lock file.
 */
export async function createEmbeddedDatabase(options: EmbeddedOptions): Promise<Database> {
  const layout = prepareFolder(join(options.dataDir, 'postgres'));
  const lock = <T>(work: () => Promise<T>) =>
    withLock(layout.lock, 300_000, work).catch((cause: unknown) => {
      throw folderError(layout.root, cause);
    });
  const member = usingFolder(layout.root, () => joinMembers(layout.members));
  const leave = () =>
    lock(async () => {
      member.leave();
      if (countMembers(layout.members) > 0) return;
      await stopServer(layout);
      stopWatchdog(layout);
      removeSocketFolder(layout);
    });
  try {
    const socketFolder = await lock(() => ensureServer(layout, options));
    await ensureDatabase(urlOf(socketFolder, 'postgres'), DATABASE);
    const revive = async () => {
      const found = await lock(() => ensureServer(layout, options));
      if (found !== socketFolder) throw new AppError('DATABASE_DOWN', 'the database moved; start this process again');
    };
    const { poolSize = 10, preparedStatements = true } = options;
    const url = urlOf(socketFolder, DATABASE);
    return await createPostgresDatabase({ url, poolSize, preparedStatements, revive, onDispose: leave });
  } catch (error) {
    await leave();
    throw error;
  }
}

const DATABASE = 'crawl4r';

const urlOf = (socketFolder: string, database: string) =>
  `postgresql://${SUPERUSER}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`;

async function ensureServer(layout: Layout, options: EmbeddedOptions): Promise<string> {
  const running = await findServer(layout);
  if (running !== undefined) return running.socketFolder;
  const { sharedBuffersMb = 64, durable = true, watchdogS = 5 } = options;
  const binaries = findBinaries(layout.links);
  const account = chooseAccount(layout.root, layout.cluster, binaries);
  await prepareCluster(layout, account, binaries, { sharedBuffersMb, durable });
  account.own(layout.cluster);
  const socketFolder = prepareSocketFolder(layout, account.own);
  const started = await startServer(layout, account, binaries, socketFolder, { sharedBuffersMb, durable });
  startWatchdog(layout, started.pid, watchdogS);
  return started.socketFolder;
}
