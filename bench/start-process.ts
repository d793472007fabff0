import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const ROOT = join(import.meta.dirname, '..');

export interface Started<Ready> extends AsyncDisposable {
  process: ChildProcess;
  ready: Ready;
}

/** Starts a script of this folder and waits for the one JSON line it prints when it is ready. */
export async function startScript<Ready>(script: string, args: string[]): Promise<Started<Ready>> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, script), ...args],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const line = await Promise.race([
    once(createInterface({ input: child.stdout! }), 'line').then(([text]) => text as string),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${script} ended with ${code} before it was ready`))),
  ]);
  return {
    process: child,
    ready: JSON.parse(line) as Ready,
    [Symbol.asyncDispose]: () => stopProcess(child),
  };
}

/** Stops a process with SIGTERM, and after a while kills it. */
export async function stopProcess(child: ChildProcess, patienceMs = 5_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const hurry = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await ended;
  clearTimeout(hurry);
}

export interface SiteReady {
  port: number;
  pages: number;
  bytes_per_page: number;
  origins: string[];
}

export const startSite = (args: string[] = []) => startScript<SiteReady>('site.ts', args);
