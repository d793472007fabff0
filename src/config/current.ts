import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { AppError } from '../errors.ts';
import { type LoadedSettings, loadSettings } from './load.ts';

/** The settings of this process: its environment, over .env in the working folder, over CONFIG_FILE, over the defaults. */
export const currentSettings = (): LoadedSettings => loadSettings({ ...readEnvFile('.env'), ...process.env });

function readEnvFile(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new AppError('CONFIG_INVALID', '.env in the working folder cannot be read', { cause: error });
  }
}
