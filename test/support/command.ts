import { spawn } from 'node:child_process';

export interface CommandOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the program to its end, with an environment of its own. */
export async function runCommand(args: readonly string[], env: Record<string, string>): Promise<CommandOutcome> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', new URL('../../src/main.ts', import.meta.url).pathname, ...args],
    {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, EMBEDDER__YIELDS: 'false', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}
