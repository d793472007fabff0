import { Settings } from '../../src/config/settings.ts';
import { createHttpFetcher } from '../../src/drivers/fetcher/http.ts';
import { createGuard } from '../../src/web/guard.ts';
import { createTestBrowser, noBrowser } from '../support/browser.ts';
import { fetcherContract } from './fetcher.contract.ts';
import { runContract } from './support/contract.ts';

runContract(fetcherContract, 'http', async ({ allow }) =>
  createHttpFetcher({ guard: createGuard(allow), settings: Settings.parse({}), resolve: async () => [] }),
);

runContract(fetcherContract, 'chromium', async ({ allow }) => createTestBrowser(allow), { skip: noBrowser });
