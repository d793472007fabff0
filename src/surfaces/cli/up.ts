import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { type App, createApp } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { makeFolder } from '../../config/data-folder.ts';
import type { Settings } from '../../config/settings.ts';
import { openSharedSite } from '../../demo/shared-site.ts';
import { toAppError } from '../../errors.ts';
import { runJobs } from '../../jobs/runner.ts';
import { createLog } from '../../log.ts';
import { createLoginLink } from '../../operations/create-login-link.ts';
import { ensureFirstAdmin, type FirstAdmin } from '../../operations/ensure-first-admin.ts';
import { runIndexer } from '../../roles/indexer.ts';
import { runRoles } from '../../roles/run-roles.ts';
import { runScheduler } from '../../roles/scheduler.ts';
import { runWorker } from '../../roles/worker.ts';
import { runApi } from '../http/run-api.ts';
import { readArguments } from './arguments.ts';
import { box } from './box.ts';
import { watchDemo } from './demo-crawl.ts';
import { talk } from './terminal.ts';

const USAGE = 'up [--demo]';

/** Every role on this machine, on whatever engines the settings name; with --demo also a site to crawl, and its crawl. */
export async function run(args: string[]): Promise<void> {
  const { values } = readArguments(args, USAGE, { demo: { type: 'boolean' } });
  const { settings: given, warnings } = currentSettings();
  for (const warning of warnings) talk(warning);
  makeFolder(given.dataDir);
  await using demo = values.demo === true ? await openSharedSite(given.dataDir) : undefined;
  const settings = demo === undefined ? given : allow(given, demo.origin);
  const logFile = join(settings.dataDir, 'crawl4r.log');
  await using app = await createApp(
    settings,
    settings.appEnv === 'production' ? {} : { log: fileLog(settings, logFile) },
  );
  const first = await ensureFirstAdmin(app);
  await runRoles(app, [
    (_, signal) =>
      runApi(app, signal, {
        nextFree: true,
        onListening: async (origin) => talk(await describe(app, origin, first, logFile, demo?.origin)),
      }),
    runWorker,
    runIndexer,
    runScheduler,
    runJobs,
    ...(demo === undefined ? [] : [(_: App, signal: AbortSignal) => watchDemo(app, demo, signal)]),
  ]);
  talk('Stopped. Everything is kept; start again to go on.');
}

/** The guard stays on: the demo's own origin is let through, nothing else. */
const allow = (settings: Settings, origin: string): Settings => ({
  ...settings,
  guard: { ...settings.guard, allow: [...settings.guard.allow, origin] },
});

function fileLog(settings: Settings, file: string) {
  const stream = createWriteStream(file, { flags: 'a' });
  stream.on('error', (error) => talk(`the log cannot be written: ${toAppError(error).message}`));
  return createLog({ level: settings.logLevel, stream });
}

async function describe(
  app: App,
  origin: string,
  first: FirstAdmin | undefined,
  logFile: string,
  demo: string | undefined,
): Promise<string> {
  const link = await createLoginLink(app);
  return box('crawl4r is up', [
    ['Dashboard', `${origin}${link}`],
    ['', 'this link signs you in once, within the hour'],
    ...(first === undefined
      ? [['API key', 'made at the first start; make another with: bin/crawl4r keys create NAME'] as const]
      : ([
          ['Admin', `${first.email} / ${first.password}`],
          ['API key', first.apiKey],
          ['', 'both are shown this once'],
        ] as const)),
    ['API', `${origin}/docs`],
    ...(demo === undefined ? [] : [['Demo site', demo] as const]),
    ['Data', app.settings.dataDir],
    ['Log', logFile],
    ['Stop', 'Ctrl-C'],
  ]);
}
