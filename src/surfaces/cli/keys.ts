import { AppError } from '../../errors.ts';
import type { ApiKey } from '../../operations/access/api-key.ts';
import type { ListPage } from '../../operations/paging.ts';
import type { ApiClient } from '../http/client.ts';
import { type Arguments, readArguments, readChoice, readNumber } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { connect } from './connect.ts';
import { plain, print, printJson, table, talk } from './terminal.ts';

const USAGE = usageOf('keys');
const OPTIONS = [
  'scopes',
  'rpm',
  'expires',
  'collections',
  'max-open-crawls',
  'max-pages-per-day',
  'name',
  'active',
  'owner',
];
const ACTIONS = { list: false, create: true, show: true, set: true, revoke: true, 'login-link': false } as const;

/** `crawl4r keys`: API keys, and a link that logs the admin in once. */
export async function run(args: string[]): Promise<void> {
  const options = Object.fromEntries(OPTIONS.map((name) => [name, { type: 'string' } as const]));
  const { values, positionals } = readArguments(args, USAGE, options, { max: 2 });
  const [action = 'list', operand] = positionals;
  if (!isAction(action) || ACTIONS[action] !== (operand !== undefined))
    throw new AppError('USAGE', `"${positionals.join(' ')}" does not fit`, { hint: `Usage: crawl4r ${USAGE}` });
  const json = values.json === true;
  const fields = readFields(values);
  const path = `/api-keys/${encodeURIComponent(operand ?? '')}`;
  // Each way out awaits its work: the connection closes when this function returns.
  await using api = await connect();
  if (action === 'create') return await create(api, { ...fields, name: operand! }, json);
  if (action === 'show') return await show(await api.call('GET', path), json);
  if (action === 'set') return await show(await api.call('PATCH', path, fields), json);
  if (action === 'revoke') {
    await api.call('DELETE', path);
    return talk('the key no longer works');
  }
  if (action === 'login-link') return await loginLink(api, api.origin, json);
  await list(api, values, json);
}

const isAction = (word: string): word is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, word);

/** What the options say of a key; "default" takes a quota back, "never" an end, "all" a binding. */
function readFields(values: Arguments['values']): Record<string, unknown> {
  const { scopes, expires, collections, name } = values;
  const rpm = readNumber(values, 'rpm', 1);
  const active = readChoice(values, 'active', ['true', 'false']);
  const words = (value: unknown) => String(value).split(',');
  return {
    ...(scopes === undefined ? {} : { scopes: words(scopes) }),
    ...(rpm === undefined ? {} : { rate_limit_rpm: rpm }),
    ...(expires === undefined ? {} : { expires_at: expires === 'never' ? null : expires }),
    ...(collections === undefined ? {} : { collections: collections === 'all' ? [] : words(collections) }),
    ...readQuota(values, 'max-open-crawls'),
    ...readQuota(values, 'max-pages-per-day'),
    ...(name === undefined ? {} : { name }),
    ...(active === undefined ? {} : { is_active: active === 'true' }),
  };
}

function readQuota(values: Arguments['values'], option: string): Record<string, number | null> {
  if (values[option] === undefined) return {};
  return { [option.replaceAll('-', '_')]: values[option] === 'default' ? null : readNumber(values, option, 0)! };
}

async function list(api: ApiClient, { owner, active }: Arguments['values'], json: boolean): Promise<void> {
  const query = new URLSearchParams({ limit: '200' });
  if (typeof owner === 'string') query.set('owner', owner);
  if (typeof active === 'string') query.set('active', active);
  const { items } = await api.call<ListPage<ApiKey>>('GET', `/api-keys?${query}`);
  if (json) return printJson(items);
  await print(table(items.map(toRow)));
}

const toRow = (key: ApiKey) => [
  key.id,
  `${key.prefix}…`,
  key.is_active ? 'on' : 'off',
  key.scopes.join(','),
  `${key.rate_limit_rpm}/min`,
  key.collections.length === 0 ? 'all' : `bound to ${key.collections.length}`,
  plain(key.owner?.email ?? ''),
  plain(key.name),
];

async function show(key: ApiKey, json: boolean): Promise<void> {
  if (json) return printJson(key);
  const lines = Object.entries(key)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [
      name.replaceAll('_', ' '),
      plain(typeof value === 'object' ? JSON.stringify(value) : String(value)),
    ]);
  await print(table(lines, Number.POSITIVE_INFINITY));
}

async function create(api: ApiClient, fields: Record<string, unknown>, json: boolean): Promise<void> {
  const made = await api.call<ApiKey & { key: string }>('POST', '/api-keys', fields);
  talk('This is the only time the key is shown.');
  await (json ? printJson(made) : print(made.key));
}

async function loginLink(api: ApiClient, origin: string | undefined, json: boolean): Promise<void> {
  if (origin === undefined)
    throw new AppError('ENGINE_DOWN', 'no server runs for this data folder', { hint: 'Start it with: crawl4r up.' });
  const { path } = await api.call<{ path: string }>('POST', '/auth/login-link');
  await (json ? printJson({ url: origin + path }) : print(origin + path));
  talk('It works once, within the hour.');
}
