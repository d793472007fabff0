import type { App } from '../app.ts';
import { createDatabasePace } from '../pipeline/fetch/database-pace.ts';
import { createPoliteClient, type PoliteClient } from '../pipeline/fetch/polite-client.ts';
import { createDatabaseRobots } from '../pipeline/fetch/robots-store.ts';

const known = new WeakMap<App, PoliteClient>();

/** The way to sites of this process: one for all that runs in it, so that a robots.txt is read once. */
export function politeClient(app: App): PoliteClient {
  let client = known.get(app);
  if (client === undefined) {
    const { database, fetcher, guard, secrets, settings } = app;
    const pace = createDatabasePace({
      sql: database,
      secrets,
      defaultRps: settings.rateLimit.defaultRps,
      defaultConcurrency: settings.worker.domainConcurrency,
      maxCrawlDelayMs: settings.fetch.maxCrawlDelayS * 1_000,
    });
    client = createPoliteClient({ guard, fetcher, pace, robotsStore: createDatabaseRobots(database), settings });
    known.set(app, client);
  }
  return client;
}
