import { LOCAL_PROFILE, type Profiles, profilesPath, readProfiles, writeProfiles } from '../../config/profiles.ts';
import { AppError } from '../../errors.ts';
import { readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { openClient, openRemote } from './connect.ts';
import { currentGlobalOptions, readKey } from './global-options.ts';
import { print, printJson, table, talk } from './terminal.ts';

const USAGE = usageOf('profiles');
const ACTIONS = { list: 0, add: 1, use: 1, remove: 1 };

/** `crawl4r profiles`: servers under a name, with their keys. Keys are kept and never shown. */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args, USAGE, { check: { type: 'boolean' } }, { max: 2 });
  const [action = 'list', name, ...rest] = positionals;
  const wrong = (message: string) => new AppError('USAGE', message, { hint: `Usage: crawl4r ${USAGE}` });
  if (!Object.hasOwn(ACTIONS, action)) throw wrong(`profiles has no action "${action}"`);
  if (ACTIONS[action as keyof typeof ACTIONS] !== (name === undefined ? 0 : 1) || rest.length > 0)
    throw wrong(name === undefined ? 'NAME is missing' : `"${name}" is one word too many`);
  const known = readProfiles();
  if (action === 'list') return list(known, values.json === true);
  if (action === 'add') return add(known, name!, values.check !== false);
  if (action === 'use') return use(known, name!);
  return remove(known, name!);
}

async function list({ current, profiles }: Profiles, json: boolean): Promise<void> {
  const rows = Object.entries(profiles).map(([name, { server, key }]) => ({
    name,
    server,
    has_key: key !== undefined,
    current: name === current,
  }));
  if (json) return printJson(rows);
  if (rows.length === 0)
    return talk('No profiles. Add one with: crawl4r profiles add NAME --server URL --key - < FILE');
  await print(
    table(rows.map((row) => [row.current ? '*' : ' ', row.name, row.has_key ? 'key' : 'no key', row.server])),
  );
  talk(current === undefined ? 'Commands work on this machine.' : `Commands work on ${current}.`);
}

/** The server is asked before anything is kept, so that a wrong address or key shows at once. */
async function add(known: Profiles, name: string, check: boolean): Promise<void> {
  const { server, key: given } = currentGlobalOptions();
  if (!/^[\w.-]{1,64}$/.test(name) || name === LOCAL_PROFILE)
    throw new AppError('USAGE', `"${name}" cannot be the name of a profile`, {
      hint: `Use letters, digits, dots and dashes; "${LOCAL_PROFILE}" is this machine.`,
    });
  if (server === undefined) throw new AppError('USAGE', '--server is missing', { hint: `Usage: crawl4r ${USAGE}` });
  const key = readKey(given);
  const origin = openClient(server, key, true).server;
  if (check) await (await openRemote({ server, key, from: 'option' }))[Symbol.asyncDispose]();
  writeProfiles({
    ...known,
    profiles: { ...known.profiles, [name]: { server: origin, ...(key === undefined ? {} : { key }) } },
  });
  talk(`kept in ${profilesPath()}; use it with: crawl4r profiles use ${name}, or --profile ${name}`);
}

function use(known: Profiles, name: string): void {
  if (name !== LOCAL_PROFILE) checkKnown(known, name);
  const { current: _, ...rest } = known;
  writeProfiles(name === LOCAL_PROFILE ? rest : { ...rest, current: name });
  talk(name === LOCAL_PROFILE ? 'commands work on this machine' : `commands work on ${known.profiles[name]!.server}`);
}

function remove(known: Profiles, name: string): void {
  checkKnown(known, name);
  const { [name]: _, ...profiles } = known.profiles;
  const { current } = known;
  writeProfiles({ profiles, ...(current === undefined || current === name ? {} : { current }) });
  talk(`removed; its key still works: end it with crawl4r keys revoke ID on that server`);
}

function checkKnown({ profiles }: Profiles, name: string): void {
  if (!Object.hasOwn(profiles, name))
    throw new AppError('USAGE', `there is no profile "${name}"`, { hint: 'crawl4r profiles list shows them.' });
}
