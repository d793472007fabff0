import { AppError } from '../../errors.ts';
import type { ApiKey } from '../../operations/access/api-key.ts';
import type { ListPage } from '../../operations/paging.ts';
import type { ApiClient } from '../http/client.ts';
import { type Arguments, readArguments, readNumber } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { connect } from './connect.ts';
import { plain, print, printJson, table, talk } from './terminal.ts';

const USAGE = usageOf('keys');

/** `crawl4r keys`: API keys, and a link that logs the admin in once. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = readArguments(args, USAGE, { scopes: text, rpm: text, expires: text }, { max: 2 });
  const [action = 'list', operand] = positionals;
  const needed = action === 'create' || action === 'revoke';
  if (!['list', 'create', 'revoke', 'login-link'].includes(action) || needed !== (operand !== undefined))
    throw new AppError('USAGE', `"${positionals.join(' ')}" does not fit`, { hint: `Usage: crawl4r ${USAGE}` });
  // Each way out awaits its work: the connection closes when this function returns.
  await using api = await connect();
  if (action === 'create') return await create(api, operand!, values);
  if (action === 'revoke') {
    await api.call('DELETE', `/api-keys/${encodeURIComponent(operand!)}`);
    return talk('the key no longer works');
  }
  if (action === 'login-link') return await loginLink(api, api.origin, values.json === true);
  const { items } = await api.call<ListPage<ApiKey>>('GET', '/api-keys?limit=200');
  if (values.json === true) return printJson(items);
  await print(
    table(
      items.map((key) => [
        key.id,
        `${key.prefix}…`,
        key.scopes.join(','),
        `${key.rate_limit_rpm}/min`,
        plain(key.name),
      ]),
    ),
  );
}

async function create(api: ApiClient, name: string, values: Arguments['values']): Promise<void> {
  const rpm = readNumber(values, 'rpm', 1);
  const made = await api.call<ApiKey & { key: string }>('POST', '/api-keys', {
    name,
    ...(typeof values.scopes === 'string' ? { scopes: values.scopes.split(',') } : {}),
    ...(rpm === undefined ? {} : { rate_limit_rpm: rpm }),
    ...(typeof values.expires === 'string' ? { expires_at: values.expires } : {}),
  });
  talk('This is the only time the key is shown.');
  await (values.json === true ? printJson(made) : print(made.key));
}

async function loginLink(api: ApiClient, origin: string | undefined, json: boolean): Promise<void> {
  if (origin === undefined)
    throw new AppError('ENGINE_DOWN', 'no server runs for this data folder', { hint: 'Start it with: crawl4r up.' });
  const { path } = await api.call<{ path: string }>('POST', '/auth/login-link');
  await (json ? printJson({ url: origin + path }) : print(origin + path));
  talk('It works once, within the hour.');
}
