import type { App } from '../app.ts';
import { toAppError } from '../errors.ts';
import { joinWorkers } from '../operations/admin/membership.ts';
import { announceDue } from '../scheduler/announce-due.ts';
import { checkAlerts } from '../scheduler/check-alerts.ts';
import { checkProxies } from '../scheduler/check-proxies.ts';
import { cleanUp } from '../scheduler/clean-up.ts';
import { deliverWebhooks } from '../scheduler/deliver-webhooks.ts';
import { planDeliveries } from '../scheduler/plan-deliveries.ts';
import { planProductImages } from '../scheduler/plan-product-images.ts';
import { purgeDeletedDocuments } from '../scheduler/purge-documents.ts';
import { promote, recover } from '../scheduler/recover.ts';
import { retryFailed } from '../scheduler/retry-failed.ts';
import { rollUpPages, rollUpStats } from '../scheduler/roll-up-stats.ts';
import { startDueSources } from '../scheduler/start-sources.ts';

interface Duty {
  name: string;
  everyMs: number;
  run(app: App): Promise<unknown>;
}

/** What happens by the clock. Every duty may run in several processes at once without harm. */
const DUTIES: readonly Duty[] = [
  { name: 'promote', everyMs: 500, run: promote },
  { name: 'announce-due', everyMs: 200, run: announceDue },
  { name: 'check-proxies', everyMs: 5_000, run: checkProxies },
  { name: 'start-sources', everyMs: 1_000, run: startDueSources },
  { name: 'retry-failed', everyMs: 5_000, run: retryFailed },
  { name: 'plan-deliveries', everyMs: 1_000, run: planDeliveries },
  { name: 'recover', everyMs: 2_000, run: recover },
  { name: 'roll-up-stats', everyMs: 5_000, run: rollUpStats },
  { name: 'roll-up-pages', everyMs: 30_000, run: rollUpPages },
  { name: 'check-alerts', everyMs: 15_000, run: checkAlerts },
  { name: 'clean-up', everyMs: 600_000, run: cleanUp },
  { name: 'purge-documents', everyMs: 3_600_000, run: purgeDeletedDocuments },
  { name: 'product-images', everyMs: 30_000, run: planProductImages },
];

export async function runScheduler(app: App, signal: AbortSignal): Promise<void> {
  await using _membership = await joinWorkers(app, 'scheduler');
  await Promise.all([deliverWebhooks(app, signal), ...DUTIES.map((duty) => repeat(app, duty, signal))]);
}

async function repeat(app: App, duty: Duty, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await duty
      .run(app)
      .catch((error: unknown) => app.log.warn('duty_failed', { duty: duty.name, error: toAppError(error).message }));
    await pause(duty.everyMs, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
