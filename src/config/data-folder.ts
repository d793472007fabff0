import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../errors.ts';

/** What stands in the data folder; 0o711 where PostgreSQL may have to pass under another user id. */
const PRIVATE = { postgres: 0o711, blobs: 0o700, index: 0o700, 'crawl4r.log': 0o600, 'server.json': 0o600 };

/**
 * Makes the data folder, closed to other users of the machine: it holds raw pages, keys and the log. Whatever this process
 * makes from here on is closed as well; what an earlier version left open is closed now. A folder that was there keeps its
 * own permissions, because it may be any folder, e.g. a home folder or /tmp.
 */
export function makeDataFolder(folder: string): void {
  process.umask(0o077);
  makeFolder(folder);
  for (const [name, allowed] of Object.entries(PRIVATE)) {
    const path = join(folder, name);
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode !== undefined && (mode & 0o777 & ~allowed) !== 0)
      usingFolder(folder, () => chmodSync(path, mode & allowed));
  }
}

/** Makes a folder of ours, with those above it, and makes sure that it can be written to. */
export function makeFolder(folder: string): void {
  usingFolder(folder, () => {
    makeOne(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  });
}

// Not mkdir's own `recursive`: on file systems that never take a folder (/proc) it tries for ever.
function makeOne(folder: string, mayAscend = true): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && mayAscend && dirname(folder) !== folder) {
      makeOne(dirname(folder));
      makeOne(folder, false);
    } else if (code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

/** Runs what touches the data folder, and says in plain words what is wrong with it. */
export function usingFolder<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw folderError(folder, cause);
  }
}

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOENT: 'it cannot be made',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of that name',
};

export function folderError(folder: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('DISK_FULL', `no space is left for the data folder ${folder}`, { cause });
  const reason = REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new AppError('DATA_DIR_UNUSABLE', `the data folder ${folder} cannot be used: ${reason}`, { cause });
}
