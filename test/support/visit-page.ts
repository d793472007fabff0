import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { browserEnvironment, findChromium, runsAsRoot } from '../../src/config/chromium.ts';
import { until } from './instance.ts';

interface VisitOptions {
  /** Where to write a picture of the page once it has something to show. */
  picture?: string;
}

/** Opens the page through a login link as a person would, watches the crawl move, and searches. */
export async function visitPage(loginLink: string, { picture }: VisitOptions = {}): Promise<void> {
  const browser = await chromium.launch({
    executablePath: findChromium(undefined)!,
    env: browserEnvironment(),
    chromiumSandbox: !runsAsRoot(),
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1.5 });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    const outside: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(loginLink).origin) outside.push(request.url());
    });
    await page.goto(loginLink);
    await page.getByText('admin@localhost').waitFor();
    assert.doesNotMatch(page.url(), /[?#]/, 'the token does not stay in the address');
    const fetched = page.locator('#live-counts div', { hasText: 'fetched' }).locator('b');
    const before = Number(await fetched.textContent());
    const status = page.locator('#live-status');
    const moved = async () =>
      Number(await fetched.textContent()) > before || (await status.textContent()) === 'completed';
    await until(moved, 60_000);
    const search = async () => {
      await page.getByLabel('Query').fill('what does the amber lamp mean');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.locator('#search-meta', { hasText: /passage/ }).waitFor();
      return (await page.locator('.hit').count()) > 0;
    };
    await until(search, 60_000);
    await page.locator('.hit mark').first().waitFor();
    if (picture !== undefined) await page.screenshot({ path: picture });
    assert.deepEqual(problems, []);
    assert.deepEqual(outside, []);
  } finally {
    await browser.close();
  }
}
