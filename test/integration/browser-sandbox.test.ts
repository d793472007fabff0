import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Settings } from '../../src/config/settings.ts';
import { createChromiumProcess } from '../../src/drivers/fetcher/chromium-process.ts';
import { createTestBrowser, noBrowser } from '../support/browser.ts';

interface Process {
  pid: number;
  command: string;
  uids: number[];
  seccomp: number;
}

function readProcess(pid: number): Process | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { pid, command, uids: field('Uid').split('\t').map(Number), seccomp: Number(field('Seccomp')) };
  } catch {
    return undefined;
  }
}

/** The processes whose command line names this browser's proxy: the browser and its children inherit no other mark. */
function chromiumProcesses(mark: string): Process[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = all.flatMap((pid) => readProcess(Number(pid)) ?? []);
  const browser = found.find(({ command }) => command.includes(mark) && !command.includes('--type='));
  return found.filter(({ pid, command }) => pid === browser?.pid || command.includes(`--type=renderer`));
}

const skip = noBrowser || (process.platform === 'linux' ? false : 'reads processes through /proc');

/** Chromium refuses its sandbox to root; under every account its pages must run in the sandbox. */
describe('Chromium is started', { skip }, () => {
  const start = (values: object, proxy: string) =>
    createChromiumProcess(Settings.parse({ browser: { timeoutMs: 15_000, ...values } }).browser, proxy);

  it('in its sandbox, and never as root', async () => {
    const proxy = `http://127.0.0.1:${40_000 + (process.pid % 10_000)}`;
    await using chromium = start({}, proxy);
    const lease = await chromium.acquire();
    const page = await lease.browser.newPage();
    await page.setContent('<p>shown</p>');
    const processes = chromiumProcesses(`--proxy-server=${proxy}`);
    const browser = processes.find(({ command }) => command.includes(proxy))!;
    assert.ok(browser !== undefined, 'the browser runs');
    assert.doesNotMatch(browser.command, /--no-sandbox/);
    const namespaced = lease.account.includes('namespace');
    if (!namespaced)
      assert.ok(
        browser.uids.every((uid) => uid !== 0),
        `uids ${browser.uids}`,
      );
    const renderers = processes.filter(({ command }) => command.includes('--type=renderer'));
    assert.ok(
      renderers.some(({ seccomp }) => seccomp === 2),
      'pages run under a filter of system calls',
    );
    assert.match(lease.account, /^in its sandbox/);
    lease.release();
  });

  it('as doctor says', async () => {
    await using browser = createTestBrowser([]);
    assert.match((await browser.check()).detail, /^in its sandbox/);
  });

  it('without it only where a setting says so, which is told', async () => {
    await using chromium = start({ sandbox: false }, 'http://127.0.0.1:9');
    const lease = await chromium.acquire();
    assert.match(lease.account, /^without its sandbox, as BROWSER__SANDBOX says/);
    lease.release();
  });
});
