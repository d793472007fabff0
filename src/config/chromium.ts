import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'microsoft-edge-stable',
  'msedge',
];

const PLACES: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome', '/opt/microsoft/msedge'].flatMap((folder) =>
    NAMES.map((name) => join(folder, name)),
  ),
  darwin: ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: ['C:\\Program Files', 'C:\\Program Files (x86)'].flatMap((folder) => [
    `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
    `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`,
  ]),
};

/** A Chromium of this machine: the one that is set, else the first found on PATH, else in the usual places. */
export function findChromium(set: string | undefined): string | undefined {
  if (set !== undefined) return isExecutable(set) ? set : undefined;
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const onPath = folders.flatMap((folder) => NAMES.map((name) => join(folder, name + suffix)));
  return [...onPath, ...(PLACES[process.platform] ?? [])].find(isExecutable);
}

/** The one command that brings a Chromium here. */
export const CHROMIUM_INSTALL =
  process.platform === 'darwin'
    ? 'brew install --cask chromium'
    : process.platform === 'win32'
      ? 'winget install Google.Chrome'
      : 'sudo apt-get install -y chromium';

const PASSED_ON = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'TZ',
  'XDG_RUNTIME_DIR',
  'SYSTEMROOT',
  'TEMP',
  'LOCALAPPDATA',
];

/** What a browser needs of our environment: our secrets are none of its business. */
export function browserEnvironment(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Chromium cannot use its sandbox as root. */
export const runsAsRoot = () => process.getuid?.() === 0;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
