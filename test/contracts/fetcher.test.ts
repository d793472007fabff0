import { Settings } from '../../src/config/settings.ts';
import { createHttpFetcher } from '../../src/drivers/fetcher/http.ts';
import { createGuard } from '../../src/web/guard.ts';
import { createTestBrowser, noBrowser } from '../support/browser.ts';
import { testFetcher } from './fetcher.contract.ts';

testFetcher('http', async ({ allow }) =>
  createHttpFetcher({ guard: createGuard(allow), settings: Settings.parse({}), resolve: async () => [] }),
);

testFetcher('chromium', async ({ allow }) => createTestBrowser(allow), { skip: noBrowser });
