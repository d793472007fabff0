import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Layout } from './folder.ts';
import { isAlive, processStart, runEnv } from './process.ts';

/**
 * Stops a server without users: a process that is killed cannot do it itself. A shell, because it must outlive
 * the program and use little memory. It reads only the member files, and the pid file so that it never signals another process.
 *   $1 server pid   $2 pid file   $3 members folder   $4 seconds between looks
 */
const SCRIPT = `
idle=0
while read -r pid < "$2" && [ "$pid" = "$1" ]; do
  sleep "$4"
  alive=
  for member in "$3"/*; do
    name=\${member##*/}
    if kill -0 "\${name%%.*}"; then alive=1; break; fi
  done
  if [ -n "$alive" ]; then idle=0; else idle=$((idle + 1)); fi
  if [ "$idle" -ge 2 ] && read -r pid < "$2" && [ "$pid" = "$1" ]; then kill -INT "$1"; fi
done`;

export function startWatchdog(layout: Layout, serverPid: number, everyS: number): void {
  const args = ['-c', SCRIPT, 'crawl4r-watchdog', String(serverPid), layout.pidFile, layout.members, String(everyS)];
  const child = spawn('sh', args, { detached: true, stdio: 'ignore', cwd: '/', env: runEnv });
  child.unref();
  // Without a watchdog everything still works; only a killed process would leave its server running.
  child.on('error', () => {});
  if (child.pid !== undefined) writeFileSync(layout.watchdog, `${child.pid} ${processStart(child.pid)}`);
}

/** After the server was stopped in order there is nothing left to watch. */
export function stopWatchdog(layout: Layout): void {
  try {
    const [pid, started] = readFileSync(layout.watchdog, 'utf8').split(' ');
    rmSync(layout.watchdog, { force: true });
    if (isAlive(Number(pid), started ?? '')) process.kill(-Number(pid), 'SIGKILL');
  } catch {
    // It has gone by itself.
  }
}
