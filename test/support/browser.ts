import { findChromium } from '../../src/config/chromium.ts';
import { Settings } from '../../src/config/settings.ts';
import { createChromiumFetcher } from '../../src/drivers/fetcher/chromium.ts';
import { createGuard } from '../../src/web/guard.ts';

/** For the `skip` option of tests that need a browser. */
export const noBrowser = findChromium(undefined) === undefined ? 'no Chromium is installed on this machine' : false;

export function createTestBrowser(allow: string[], names: Record<string, string[]> = {}) {
  return createChromiumFetcher({
    guard: createGuard(allow),
    settings: Settings.parse({}),
    resolve: async (name) => names[name] ?? [],
  });
}
