// Runs a program of this clone on the pinned Node and ends as it ends.
import { spawn, spawnSync } from 'child_process';
import fs from 'fs';
import path from 'path';
import { fail, root } from './install.mjs';

/** The pinned Node; the host's own where the pinned one does not run there and the host's runs TypeScript. */
export function findNode() {
  const pinned = path.join(root, 'node_modules', '.bin', 'node');
  if (fs.existsSync(pinned) && spawnSync(pinned, ['--version']).status === 0) return pinned;
  const parts = process.versions.node.split('.').map(Number);
  if (parts[0] > 23 || (parts[0] === 22 && parts[1] >= 18)) return process.execPath;
  return fail('NODE_TOO_OLD', 'the Node.js that comes with crawl4r does not run here', 'Install Node.js 24.');
}

export function launch(args) {
  const cache = path.join(root, 'node_modules', '.cache', 'node');
  // As in bin/crawl4r.
  const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8'];
  const child = spawn(findNode(), [...flags, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: cache, MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '4', ...process.env },
  });
  // A terminal sends Ctrl-C to the child as well; a second one from here would look like impatience.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm that is killed outright tells nobody; what it started should not stay behind.
  const parent = process.ppid;
  const watch = () => process.ppid !== parent && child.kill('SIGTERM');
  if (process.env.npm_lifecycle_event !== undefined) setInterval(watch, 1000).unref();
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 1));
  child.on('error', (error) => fail('INSTALL_FAILED', 'it cannot be started: ' + error.message, 'Run npm ci.'));
}
