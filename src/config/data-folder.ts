import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../errors.ts';

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
