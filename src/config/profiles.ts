import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../errors.ts';

/** Servers the command line knows by name. The file holds keys: its owner alone may read it. */
const Profiles = z.strictObject({
  /** The one that is used when none is named; absent: this machine's own data folder. */
  current: z.string().optional(),
  profiles: z.record(z.string(), z.strictObject({ server: z.string(), key: z.string().optional() })),
});
export type Profiles = z.output<typeof Profiles>;

/** The name that stands for this machine's own data folder. */
export const LOCAL_PROFILE = 'local';
const OTHERS = 0o077;
const hasModes = process.platform !== 'win32';

/** `~/.config/crawl4r/config.json`, or where XDG_CONFIG_HOME says. */
export function profilesPath(env: Record<string, string | undefined> = process.env): string {
  const given = env.XDG_CONFIG_HOME;
  // The XDG specification: a path that is not absolute is to be ignored.
  const base = given?.startsWith('/') ? given : join(env.HOME || homedir(), '.config');
  return join(base, 'crawl4r', 'config.json');
}

/** What the file holds; nothing when there is none. A file that others may read is refused: its keys are known to them. */
export function readProfiles(path = profilesPath()): Profiles {
  const unusable = (problem: string, hint: string, cause?: unknown) =>
    new AppError('CONFIG_INVALID', `${path} ${problem}`, { cause, hint });
  let text: string;
  try {
    const { mode } = statSync(path);
    if (hasModes && (mode & OTHERS) !== 0)
      throw unusable(
        `holds keys and can be read by other users (mode ${(mode & 0o777).toString(8)})`,
        `Close it with: chmod 600 ${path}. If others use this machine, make new keys.`,
      );
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { profiles: {} };
    throw unusable('cannot be read', 'Check who owns it.', error);
  }
  try {
    return Profiles.parse(JSON.parse(text));
  } catch (error) {
    throw unusable('is not a list of profiles', 'Mend it, or remove it and add the profiles again.', error);
  }
}

/** Writes the file in one step, closed to others, in a folder that is closed too. */
export function writeProfiles(content: Profiles, path = profilesPath()): void {
  const folder = dirname(path);
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (hasModes) chmodSync(folder, 0o700);
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', `${path} cannot be written`, {
      cause,
      hint: 'Check who owns the folder, or set XDG_CONFIG_HOME to one you may write to.',
    });
  }
}
