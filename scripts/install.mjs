// Installs what is missing. Runs before anything is installed, on whatever Node the host has: no dependencies, and
// syntax that an old Node can read far enough to be told that it is too old.
import { spawn } from 'child_process';
import fs from 'fs';
import path from 'path';
import { fileURLToPath } from 'url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const OLDEST_NODE = 20;

export function fail(code, message, hint) {
  process.stderr.write('crawl4r: ' + message + ' (' + code + ')\n' + (hint ? '  ' + hint + '\n' : ''));
  process.exit(1);
}

/** Resolves when every package of the lock file that this machine needs is installed. */
export async function install(withDev) {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < OLDEST_NODE)
    fail('NODE_TOO_OLD', 'Node.js ' + process.versions.node + ' is too old', 'Install Node.js 20 or newer.');
  const before = findMissing(withDev);
  if (before === 0) return;
  const release = await takeLock();
  // Another start may have installed everything while this one waited.
  const missing = findMissing(withDev);
  const trouble = missing > 0 ? await runNpm(missing, withDev) : undefined;
  release();
  if (trouble !== undefined) fail(trouble.code, trouble.message, trouble.hint);
}

/** How many packages are missing or of another version. npm writes its own list last, so half an install has none. */
function findMissing(withDev) {
  const wanted = readJson(path.join(root, 'package-lock.json')).packages;
  let found;
  try {
    found = readJson(path.join(root, 'node_modules', '.package-lock.json')).packages;
  } catch (error) {
    return Infinity;
  }
  const direct = wanted[''].optionalDependencies || {};
  return Object.keys(wanted).filter(function (name) {
    const entry = wanted[name];
    if (name === '' || (entry.dev && !withDev) || entry.inBundle || entry.link) return false;
    // Optional packages further down are for other platforms, or do without.
    if (entry.devOptional || (entry.optional && !direct[name.replace('node_modules/', '')])) return false;
    if (!fits(entry.os, process.platform) || !fits(entry.cpu, process.arch)) return false;
    return !found[name] || found[name].version !== entry.version;
  }).length;
}

function fits(allowed, name) {
  return allowed === undefined || [].concat(allowed).indexOf(name) >= 0;
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

async function runNpm(missing, withDev) {
  // A clean install empties the folder first, under the feet of what may be running: only where nothing is installed.
  const command = missing === Infinity ? ['ci'] : ['install', '--no-save'];
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const npm = process.env.npm_execpath && /npm-cli\.[cm]?js$/.test(process.env.npm_execpath);
  const args = command.concat(flags, withDev ? ['--include=dev'] : ['--omit=dev']);
  const done = showProgress(missing);
  const child = npm
    ? spawn(process.execPath, [process.env.npm_execpath].concat(args), options)
    : spawn('npm', args, options);
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  const status = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(-1);
    });
    child.on('close', resolve);
  });
  if (status === 0) removeForeign();
  done(status === 0);
  if (status === 0) return undefined;
  process.stderr.write(output.trim().split('\n').slice(0, 12).join('\n') + '\n');
  if (/ENOSPC/.test(output))
    return {
      code: 'DISK_FULL',
      message: 'the packages do not fit on the disk',
      hint: 'Free disk space and start again.',
    };
  const hint = 'Check the network and the npm registry, then start again.';
  return { code: 'INSTALL_FAILED', message: 'npm could not install the packages', hint };
}

/** Two packages bring along what only other platforms or compilers need: about 300 MB that nothing here ever opens. */
function removeForeign() {
  const modules = path.join(root, 'node_modules');
  const builds = path.join(modules, 'onnxruntime-node', 'bin');
  const foreign = [path.join(modules, 'node-' + process.platform + '-' + process.arch, 'include')];
  for (const version of list(builds))
    for (const system of list(path.join(builds, version)))
      for (const processor of list(path.join(builds, version, system)))
        if (system !== process.platform || processor !== process.arch)
          foreign.push(path.join(builds, version, system, processor));
  for (const folder of foreign) fs.rmSync(folder, { recursive: true, force: true });
}

function list(folder) {
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] };

function showProgress(missing) {
  const what = missing === Infinity ? 'packages' : missing + (missing === 1 ? ' package' : ' packages');
  const start = Date.now();
  const seconds = () => Math.round((Date.now() - start) / 1000) + ' s';
  const line = (text, end) => process.stderr.write((process.stderr.isTTY ? '\r\x1b[K' : '') + text + end);
  line('installing ' + what + ' …', process.stderr.isTTY ? '' : '\n');
  const timer = setInterval(() => process.stderr.isTTY && line('installing ' + what + ' … ' + seconds(), ''), 1000);
  return (worked) => {
    clearInterval(timer);
    line((worked ? 'installed ' : 'could not install ') + what + ' in ' + seconds(), '\n');
  };
}

/** One install at a time: a folder is made by one process only. One whose maker is gone is taken over. */
async function takeLock() {
  const folder = path.join(root, '.crawl4r', 'install.lock');
  try {
    fs.mkdirSync(path.dirname(folder), { recursive: true });
  } catch (error) {
    fail('INSTALL_FAILED', 'this clone cannot be written to', 'Run npm ci as the user it belongs to.');
  }
  for (;;) {
    try {
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, 'pid'), String(process.pid));
      return () => fs.rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isStale(folder)) fs.rmSync(folder, { recursive: true, force: true });
    else await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function isStale(folder) {
  try {
    const pid = Number(fs.readFileSync(path.join(folder, 'pid'), 'utf8'));
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // No pid yet: its maker writes it at once, unless it was killed in between.
    if (error.code === 'ENOENT') return Date.now() - modified(folder) > 5000;
    return error.code === 'ESRCH';
  }
}

function modified(folder) {
  try {
    return fs.statSync(folder).mtimeMs;
  } catch (error) {
    return Date.now();
  }
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  install(process.argv.includes('--dev'));
