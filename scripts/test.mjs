// npm test: installs what is missing and runs every test, or the files that are named.
import { spawnSync } from 'child_process';
import fs from 'fs';
import { install } from './install.mjs';
import { launch } from './launch.mjs';

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const LIMIT_MS = 240000;

install(true).then(() => {
  installBrowser();
  launch(['scripts/run-tests.ts', ...process.argv.slice(2)]);
});

/** Browser tests need a real one. Where this may install it, it does; elsewhere those tests are skipped by name. */
function installBrowser() {
  const folders = (process.env.PATH || '').split(':');
  if (BROWSERS.some((name) => folders.some((folder) => fs.existsSync(folder + '/' + name)))) return;
  if (process.getuid === undefined || process.getuid() !== 0 || !fs.existsSync('/etc/debian_version')) return;
  process.stderr.write('installing Chromium for the browser tests …\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const deadline = Date.now() + LIMIT_MS;
  const apt = (...args) => {
    const timeout = Math.max(1, deadline - Date.now());
    return spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=60', ...args], { env, stdio: 'ignore', timeout });
  };
  const get = () => apt('install', '-y', '--no-install-recommends', 'chromium').status === 0;
  if (get() || (apt('update').status === 0 && get())) return;
  process.stderr.write('Chromium could not be installed; the tests that need it are skipped\n');
}
