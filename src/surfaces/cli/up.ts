import { join } from 'node:path';
import { type App, createApp } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { folderError, makeDataFolder } from '../../config/data-folder.ts';
import type { Settings } from '../../config/settings.ts';
import { openSharedSite } from '../../demo/shared-site.ts';
import { runJobs } from '../../jobs/runner.ts';
import { createLog } from '../../log.ts';
import { createLoginLink } from '../../operations/access/create-login-link.ts';
import { ensureFirstAdmin, type FirstAdmin } from '../../operations/access/ensure-first-admin.ts';
import { runIndexer } from '../../roles/indexer.ts';
import { runRoles } from '../../roles/run-roles.ts';
import { runScheduler } from '../../roles/scheduler.ts';
import { runWorker } from '../../roles/worker.ts';
import { warnOfNetwork } from '../http/listen.ts';
import { runApi } from '../http/run-api.ts';
import { readArguments } from './arguments.ts';
import { checkBind, INSECURE } from './bind.ts';
import { box } from './box.ts';
import { usageOf } from './command-help.ts';
import { watchDemo } from './demo-crawl.ts';
import { openLogFile } from './log-file.ts';
import { talk } from './terminal.ts';

const USAGE = usageOf('up');
const TELL_AGAIN_MS = 60_000;

/** Every role on this machine, on whatever engines the settings name; with --demo also a site to crawl, and its crawl. */
export async function run(args: string[]): Promise<void> {
  const { values } = readArguments(args, USAGE, { demo: { type: 'boolean' }, ...INSECURE });
  const { settings: read, warnings } = currentSettings();
  for (const warning of warnings) talk(warning);
  const given = checkBind(read, values);
  makeDataFolder(given.dataDir);
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

/** The log goes to a file; errors are also printed to the terminal, each at a limited rate. */
function fileLog(settings: Settings, file: string) {
  const told = new Map<string, number>();
  const lines = openLogFile(file, (error) => {
    const { message, code, hint } = folderError(settings.dataDir, error);
    talk(`the log cannot be written: ${message} (${code})\n  ${hint}`);
  });
  const write = (line: string) => {
    lines.write(line);
    if (!line.includes('"level":"error"')) return;
    const { error, event, code } = JSON.parse(line) as Record<string, unknown>;
    // A role that failed ends the program, which says so itself.
    if (event === 'role_failed') return;
    const words = `${typeof error === 'string' ? error : event}${code === undefined ? '' : ` (${code})`}`;
    if (performance.now() - (told.get(words) ?? Number.NEGATIVE_INFINITY) < TELL_AGAIN_MS) return;
    told.set(words, performance.now());
    talk(`trouble: ${words}`);
  };
  return createLog({ level: settings.logLevel, stream: { write } });
}

async function describe(
  app: App,
  origin: string,
  first: FirstAdmin | undefined,
  logFile: string,
  demo: string | undefined,
): Promise<string> {
  const link = await createLoginLink(app);
  const warning = warnOfNetwork(app.settings);
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
    ...(warning === undefined ? [] : [['Warning', warning] as const]),
    ['Stop', 'Ctrl-C'],
  ]);
}
