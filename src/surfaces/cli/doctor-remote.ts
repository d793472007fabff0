import type { Remote } from '../../config/remote.ts';
import { AppError } from '../../errors.ts';
import { openRemote } from './connect.ts';
import { print, printJson, table, talk } from './terminal.ts';

const MARKS = { ok: '✔', down: '✖', off: '–' };

/** Whether a server elsewhere answers and takes the key, and whether its engines answer. Its settings stay with it. */
export async function checkRemote(remote: Remote, json: boolean): Promise<void> {
  await using api = await openRemote(remote);
  const { client, origin } = api;
  const start = performance.now();
  const { version } = await client.admin.getHealth();
  const ms = Math.round(performance.now() - start);
  const me = await client.access.getMe();
  const { status, checks } = await client.admin.getReadiness();
  const engines = Object.entries(checks).map(([name, check]) => ({ name, ...check }));
  const ok = status !== 'down' && engines.every((engine) => engine.status !== 'down');
  const caller = me.key?.name ?? me.user?.email ?? 'nobody';
  if (json) await printJson({ ok, server: { origin, version, ms }, caller, scopes: me.scopes, engines });
  else {
    await print(
      table([
        [MARKS.ok, 'server', `crawl4r ${version}`, `${ms} ms`, origin ?? ''],
        [me.scopes.length > 0 ? MARKS.ok : MARKS.off, 'key', caller, '', me.scopes.join(', ') || 'no key is given'],
        ...engines.map((each) => [MARKS[each.status], each.name, each.engine, `${Math.round(each.ms)} ms`, '']),
      ]),
    );
    talk('The settings of a server are shown where it runs: crawl4r doctor there.');
  }
  if (!ok)
    throw new AppError('ENGINE_DOWN', 'not every engine of the server answers', { hint: 'See the lines marked ✖.' });
}
