import { AppError } from '../../errors.ts';
import type { Browser, BrowserPage } from '../../ports/browser.ts';
import type { Way } from './polite-client.ts';

/** What to capture of a page in a browser. */
export interface CaptureRequest extends Way {
  url: string;
  /** A CSS selector to wait for. */
  waitFor?: string;
  waitMs?: number;
  timeoutMs?: number;
  viewport?: { width: number; height: number };
}

export interface Captured {
  url: string;
  status: number;
  title: string;
}

export interface ScriptOutcome {
  /** The value the script ended with, as JSON; null when it has none. */
  value: unknown;
  /** What it threw, if it did. */
  error: string | null;
}

const MAX_VALUE = 1_000_000;

export function captureScreenshot(
  browser: Browser,
  request: CaptureRequest & { fullPage: boolean },
): Promise<Captured & { png: Uint8Array }> {
  const { fullPage, ...rest } = request;
  return browser.open({ ...rest, load: 'all' }, async (page) => ({
    ...(await describe(page)),
    png: await page.screenshot({ fullPage }),
  }));
}

export function printPdf(
  browser: Browser,
  request: CaptureRequest & { format: string; landscape: boolean },
): Promise<Captured & { pdf: Uint8Array }> {
  const { format, landscape, ...rest } = request;
  return browser.open({ ...rest, load: 'all' }, async (page) => ({
    ...(await describe(page)),
    pdf: await page.pdf({ format, landscape }),
  }));
}

/** Runs scripts in a page, one after the other; one that throws does not keep the next from running. */
export function executeScripts(
  browser: Browser,
  request: CaptureRequest & { scripts: readonly string[] },
): Promise<Captured & { results: ScriptOutcome[]; html: string }> {
  const { scripts, ...rest } = request;
  return browser.open(rest, async (page) => {
    const results: ScriptOutcome[] = [];
    for (const script of scripts) results.push(await runScript(page, script));
    return { ...(await describe(page)), results, html: await page.html() };
  });
}

async function runScript(page: BrowserPage, script: string): Promise<ScriptOutcome> {
  try {
    const value = (await page.evaluate(script)) ?? null;
    if (JSON.stringify(value).length > MAX_VALUE)
      return { value: null, error: `the value is larger than ${MAX_VALUE} bytes` };
    return { value, error: null };
  } catch (error) {
    // A script may fail; a page that is gone ends the whole request.
    if (!(error instanceof AppError) || error.code !== 'RENDER_FAILED') throw error;
    return { value: null, error: error.message };
  }
}

const describe = async (page: BrowserPage): Promise<Captured> => ({
  url: page.url,
  status: page.status,
  title: await page.title(),
});
