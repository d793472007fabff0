import { createApp } from '../../app.ts';
import { currentSettings } from '../../config/current.ts';
import { describeSettings } from '../../config/describe.ts';
import { AppError, toAppError } from '../../errors.ts';
import { type CheckedEngine, checkEngines } from '../../operations/admin/check-engines.ts';
import { readServerFile } from '../server-file.ts';
import { readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { currentRemote, openClient } from './connect.ts';
import { checkRemote } from './doctor-remote.ts';
import { print, printJson, table, talk } from './terminal.ts';

/**
 * `crawl4r doctor`: the settings in force, secrets masked, and whether each engine answers, and how soon. Of a server
 * elsewhere it shows what that server says of itself.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = readArguments(args, usageOf('doctor'), { all: { type: 'boolean' } });
  const remote = currentRemote();
  if (remote !== undefined) return checkRemote(remote, values.json === true);
  const loaded = currentSettings();
  const { settings, warnings } = loaded;
  const listed = describeSettings(loaded).filter(({ source }) => values.all === true || source !== 'default');
  const reports = [...(await checkHere()), await checkServer(settings.dataDir)];
  const ok = reports.every(({ status }) => status !== 'down');
  if (values.json === true) await printJson({ ok, engines: reports, settings: listed, warnings });
  else {
    const mark = { ok: '✔', down: '✖', off: '–' };
    await print(
      table(reports.map((each) => [mark[each.status], each.name, nameOf(each), `${each.ms} ms`, each.detail])),
    );
    await print(
      `\n${table([['data folder', '', settings.dataDir], ...listed.map(({ name, value, source }) => [name, source, value])])}`,
    );
    if (values.all !== true) talk('Only settings that differ from their default are shown; --all shows every one.');
    for (const warning of warnings) talk(`warning: ${warning}`);
  }
  if (!ok) throw new AppError('ENGINE_DOWN', 'not every engine answers', { hint: 'See the lines marked ✖.' });

  async function checkHere(): Promise<CheckedEngine[]> {
    const start = performance.now();
    try {
      await using app = await createApp({ ...settings, logLevel: 'silent' });
      return await checkEngines(app, { deep: true });
    } catch (thrown) {
      // Nothing can be opened with such settings, or without the database; the error's own words say why.
      const { message, code, hint } = toAppError(thrown);
      const [name, engine] = code.startsWith('DATABASE') ? ['database', 'postgres'] : ['start', 'none'];
      const detail = `${message} (${code})${hint === undefined ? '' : ` ${hint}`}`;
      return [{ name, engine, status: 'down', ms: Math.round(performance.now() - start), detail }];
    }
  }
}

const nameOf = ({ engine, version }: CheckedEngine) => (version === undefined ? engine : `${engine} ${version}`);

/** A server that does not run is fine; one that says it runs and does not answer is not. */
async function checkServer(dataDir: string): Promise<CheckedEngine> {
  const known = readServerFile(dataDir);
  const start = performance.now();
  const report = (status: CheckedEngine['status'], detail: string) => ({
    name: 'server',
    engine: 'http',
    status,
    ms: Math.round(performance.now() - start),
    detail,
  });
  if (known === undefined) return report('off', 'none runs for this data folder');
  try {
    await openClient(known.origin, known.key, false).admin.getHealth({ retries: 0 });
    return report('ok', known.origin);
  } catch (thrown) {
    return report(isAlive(known.pid) ? 'down' : 'off', toAppError(thrown).message);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
