import { join } from 'node:path';
import { browserEnvironment, runsAsRoot } from '../../config/chromium.ts';
import type { Settings } from '../../config/settings.ts';

/** One way to start Chromium: under which account, and whether its sandbox is on. */
export interface BrowserAccount {
  executablePath: string;
  chromiumSandbox: boolean;
  env: Record<string, string>;
  /** Shown by doctor. */
  description: string;
}

const WRAPPER = join(import.meta.dirname, 'run-chromium.sh');

/**
 * The ways to start Chromium, the best first. Its sandbox does not work for root, so root starts it under another account,
 * as PostgreSQL. Without its sandbox it runs only where a setting says so.
 */
export function listAccounts({ sandbox }: Settings['browser'], executablePath: string): BrowserAccount[] {
  const env = browserEnvironment();
  const held = sandbox ? 'in its sandbox' : 'without its sandbox, as BROWSER__SANDBOX says';
  const self = { executablePath, chromiumSandbox: sandbox, env, description: held };
  if (!runsAsRoot()) return [self];
  const others = (['nobody', 'namespace'] as const).map((account) => ({
    executablePath: WRAPPER,
    chromiumSandbox: sandbox,
    env: { ...env, BROWSER_ACCOUNT: account, BROWSER_PROGRAM: executablePath },
    description: `${held}, ${account === 'nobody' ? 'as user 65534' : 'in a user namespace'}`,
  }));
  return sandbox ? others : [...others, { ...self, description: `${held}, as root` }];
}
