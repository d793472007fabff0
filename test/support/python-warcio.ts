import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Outside of the clone, so that it is made once. */
const FOLDER = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'crawl4r-warcio');
const VERSION = '1.7.5';

/** A Python with warcio in a folder of its own; undefined where there is none and none can be made. */
export async function findWarcio(): Promise<string | undefined> {
  const python = join(FOLDER, 'bin', 'python');
  const works = () =>
    run(python, ['-c', 'import warcio'], { timeout: 20_000 }).then(
      () => true,
      () => false,
    );
  if (existsSync(python) && (await works())) return python;
  try {
    await run('python3', ['-m', 'venv', FOLDER], { timeout: 40_000 });
    await run(
      python,
      ['-m', 'pip', 'install', '--quiet', '--retries', '0', '--timeout', '10', `warcio==${VERSION}`, 'setuptools<81'],
      { timeout: 50_000 },
    );
  } catch {
    return undefined;
  }
  return (await works()) ? python : undefined;
}

export async function checkWithPython(python: string, file: string): Promise<{ code: number; output: string }> {
  try {
    const { stdout } = await run(python, ['-m', 'warcio.cli', 'check', '-v', file], { timeout: 60_000 });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code = 1, stdout, stderr } = error as { code?: number; stdout: string; stderr: string };
    return { code, output: `${stdout}\n${stderr}` };
  }
}
