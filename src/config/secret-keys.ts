import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../errors.ts';
import { KEY_BYTES } from '../secrets.ts';
import { folderError, makeFolder, usingFolder } from './data-folder.ts';
import type { Settings } from './settings.ts';

/** Where the keys of an installation are: given as a setting, or in a file, one a line, the one that seals first. */
export interface KeyStore {
  /** The file, unless the keys are a setting. */
  readonly file: string | undefined;
  /** Empty while there is no file. Throws SECRETS_KEY_INVALID for what is not a key. */
  read(): Buffer[];
  /** Makes the file of the data folder with a first key unless it is there; true when it was made now. One that a setting names is never made: it is missing. */
  create(): boolean;
  /** Replaces the file's keys in one step. */
  write(keys: readonly Buffer[]): void;
  remove(): void;
}

const OWNER_ONLY = 0o600;

export function openKeyStore({ secrets, dataDir }: Pick<Settings, 'secrets' | 'dataDir'>): KeyStore {
  const { key: given } = secrets;
  if (given !== undefined) {
    const keys = given.split(',').map((text) => parseKey(text, 'SECRETS__KEY'));
    return { file: undefined, read: () => keys, create: () => false, write: refuse, remove: refuse };
  }
  const file = secrets.keyFile ?? join(dataDir, 'secrets.key');
  return {
    file,
    read: () => readKeys(file, secrets.keyFile === undefined),
    create: () => secrets.keyFile === undefined && createFile(file),
    write: (keys) => replaceFile(file, keys),
    remove: () => rmSync(file, { force: true }),
  };
}

function refuse(): never {
  throw new AppError('STATE_CONFLICT', 'the keys are a setting, and only the setting can change them', {
    hint: 'Put the new key before the old one in SECRETS__KEY, separated by a comma, and start again.',
  });
}

function readKeys(file: string, own: boolean): Buffer[] {
  let text: string;
  try {
    // Others on this machine must not read it; a file that an operator mounted has the mode the operator chose.
    if (own && (statSync(file).mode & 0o077) !== 0) chmodSync(file, OWNER_ONLY);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw folderError(file, error);
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => parseKey(line, file));
}

function parseKey(text: string, from: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === KEY_BYTES && /^[\w+/-]{43}=?$/.test(text.trim())) return key;
  throw new AppError(
    'SECRETS_KEY_INVALID',
    `${from} holds something that is not a key of ${KEY_BYTES} bytes in base64`,
  );
}

const toText = (keys: readonly Buffer[]) => keys.map((key) => `${key.toString('base64')}\n`).join('');

/** Of several processes that start at once one makes the file: it gets its name when it is whole, and only once. */
function createFile(file: string): boolean {
  makeFolder(dirname(file));
  return usingFolder(file, () => {
    const draft = writeDraft(file, [randomBytes(KEY_BYTES)]);
    try {
      linkSync(draft, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(draft);
    }
  });
}

function replaceFile(file: string, keys: readonly Buffer[]): void {
  usingFolder(file, () => renameSync(writeDraft(file, keys), file));
}

function writeDraft(file: string, keys: readonly Buffer[]): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, toText(keys), { mode: OWNER_ONLY, flag: 'wx', flush: true });
  return draft;
}
