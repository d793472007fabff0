import { createApp } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { runJobs } from '../../jobs/runner.ts';
import { runIndexer } from '../../roles/indexer.ts';
import { type Role, runRoles } from '../../roles/run-roles.ts';
import { runScheduler } from '../../roles/scheduler.ts';
import { runFetcher, runParser, runWorker } from '../../roles/worker.ts';
import { runApi } from '../http/run-api.ts';
import { readArguments } from './arguments.ts';
import { checkBind, INSECURE } from './bind.ts';
import { talk } from './terminal.ts';

const ROLES: Record<string, readonly Role[]> = {
  api: [runApi],
  worker: [runWorker],
  fetcher: [runFetcher],
  parser: [runParser],
  indexer: [runIndexer],
  scheduler: [runScheduler, runJobs],
};

/** `crawl4r api | worker | fetcher | parser | indexer | scheduler`: one role alone, until it is stopped by a signal. */
export const role = (name: keyof typeof ROLES) => ({
  async run(args: string[]): Promise<void> {
    const listens = name === 'api';
    const { values } = readArguments(args, String(name), listens ? INSECURE : {});
    const { settings: given, warnings } = currentSettings();
    for (const warning of warnings) talk(warning);
    const settings = listens ? checkBind(given, values) : given;
    await using app = await createApp(settings);
    await runRoles(app, ROLES[name]!);
  },
});
