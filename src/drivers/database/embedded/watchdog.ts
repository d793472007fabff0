import { spawn } from 'node:child_process';
import { runEnv } from './process.ts';

/**
 * Stops a server nobody uses: a process of ours that is killed cannot do it itself. A shell, because it must outlive
 * us and weigh nothing. It looks at the member files only, and at the pid file so that it never signals a stranger.
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

export function startWatchdog(serverPid: number, pidFile: string, members: string, everyS: number): void {
  const args = ['-c', SCRIPT, 'crawl4r-watchdog', String(serverPid), pidFile, members, String(everyS)];
  spawn('sh', args, { detached: true, stdio: 'ignore', cwd: '/', env: runEnv }).unref();
}
