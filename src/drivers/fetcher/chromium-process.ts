import type { Browser as Chromium } from 'playwright-core';
import { CHROMIUM_INSTALL, findChromium } from '../../config/chromium.ts';
import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../errors.ts';
import { type BrowserAccount, listAccounts } from './chromium-account.ts';

/** One Chromium at a time: started when it is first needed, again when it died, stopped after a while without use. */
export interface ChromiumProcess extends AsyncDisposable {
  /** Holds the browser open until `release`. */
  acquire(): Promise<Lease>;
}

export interface Lease {
  browser: Chromium;
  /** Under which account it runs, and whether in its sandbox; for display. */
  account: string;
  release(): void;
  /** Ends the process at once: for a browser that does not answer any more. */
  kill(): void;
}

interface Running {
  browser: Chromium;
  account: string;
  pid: number | undefined;
  pages: number;
}

const IDLE_MS = 60_000;
/** A browser that has shown this many pages is replaced when it is next idle: memory does not grow for ever. */
const RECYCLE_AFTER = 500;
const CLOSE_MS = 5_000;

export function createChromiumProcess(settings: Settings['browser'], proxyUrl: string): ChromiumProcess {
  let running: Promise<Running> | undefined;
  let users = 0;
  let disposed = false;
  let idle: NodeJS.Timeout | undefined;

  function start(): Promise<Running> {
    const started = launch(settings, proxyUrl);
    running = started;
    const forget = () => {
      if (running === started) running = undefined;
    };
    started.then(({ browser }) => browser.on('disconnected', forget), forget);
    return started;
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const stopping = running;
    running = undefined;
    const last = await stopping?.catch(() => undefined);
    if (last === undefined) return;
    const closed = await within(CLOSE_MS, last.browser.close());
    if (!closed) kill(last.pid);
  }

  return {
    async acquire() {
      if (disposed) throw new AppError('CANCELLED', 'the browser is shut down');
      clearTimeout(idle);
      users++;
      try {
        const held = await (running ?? start());
        held.pages++;
        let released = false;
        return {
          browser: held.browser,
          account: held.account,
          kill: () => kill(held.pid),
          release() {
            if (released) return;
            released = true;
            users--;
            if (users > 0) return;
            if (held.pages >= RECYCLE_AFTER) void stop();
            else idle = setTimeout(() => void stop(), IDLE_MS).unref();
          },
        };
      } catch (error) {
        users--;
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      await stop();
    },
  };
}

async function launch(settings: Settings['browser'], proxyUrl: string): Promise<Running> {
  const executablePath = findChromium(settings.path);
  if (executablePath === undefined) {
    const message =
      settings.path === undefined ? 'no Chromium is installed here' : `${settings.path} is not a program that can run`;
    throw new AppError('BROWSER_MISSING', message, { hint: `Run: ${CHROMIUM_INSTALL} (or set BROWSER__PATH).` });
  }
  let failure: unknown;
  for (const account of listAccounts(settings, executablePath)) {
    try {
      return await launchAs(account, settings, proxyUrl);
    } catch (error) {
      failure ??= error;
    }
  }
  throw new AppError('RENDER_FAILED', `Chromium does not start: ${firstLine(failure)}`, {
    cause: failure,
    hint: settings.sandbox
      ? 'Its sandbox needs user namespaces and a user other than root; BROWSER__SANDBOX=false does without it.'
      : 'Check that the program in BROWSER__PATH runs.',
  });
}

async function launchAs(account: BrowserAccount, settings: Settings['browser'], proxyUrl: string): Promise<Running> {
  const { description, ...how } = account;
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    ...how,
    headless: true,
    args: launchArguments(proxyUrl, settings.maxPages),
    // The program's own shutdown closes it, in order.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: settings.timeoutMs,
  });
  return { browser, account: description, pid: await findPid(browser), pages: 0 };
}

/**
 * Whatever a page does must pass the proxy: loopback too (the bypass rule takes it out of Chromium's exceptions), no
 * UDP beside it (WebRTC, QUIC), no names looked up by the browser itself, and none of the browser's own traffic.
 */
function launchArguments(proxyUrl: string, maxPages: number): string[] {
  return [
    `--proxy-server=${proxyUrl}`,
    '--proxy-bypass-list=<-loopback>',
    `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${new URL(proxyUrl).hostname}`,
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--dns-prefetch-disable',
    '--no-pings',
    '--disable-domain-reliability',
    '--disable-client-side-phishing-detection',
    '--deny-permission-prompts',
    '--disable-gpu',
    '--mute-audio',
    `--renderer-process-limit=${maxPages + 1}`,
    '--js-flags=--max-old-space-size=512',
  ];
}

async function findPid(browser: Chromium): Promise<number | undefined> {
  const session = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.find(({ type }) => type === 'browser')?.id;
  } finally {
    await session.detach();
  }
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** True when the work ended, well or not, in time. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const done = work.then(
    () => true,
    () => true,
  );
  const inTime = await Promise.race([done, late]);
  clearTimeout(timer);
  return inTime;
}

export const firstLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
