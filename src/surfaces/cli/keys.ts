import type { Client, CreateApiKeyBody } from '../../../clients/typescript/src/index.ts';
import { AppError } from '../../errors.ts';
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
  const { client } = api;
  if (action === 'create') return await create(client, operand!, values);
  if (action === 'revoke') {
    await client.access.revokeApiKey(operand!);
    return talk('the key no longer works');
  }
  if (action === 'login-link') return await loginLink(client, api.origin, values.json === true);
  const { items } = await client.access.listApiKeys({ limit: 200 });
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

async function create(client: Client, name: string, values: Arguments['values']): Promise<void> {
  const rpm = readNumber(values, 'rpm', 1);
  const made = await client.access.createApiKey({
    name,
    ...(typeof values.scopes === 'string' ? { scopes: values.scopes.split(',') as CreateApiKeyBody['scopes'] } : {}),
    ...(rpm === undefined ? {} : { rate_limit_rpm: rpm }),
    ...(typeof values.expires === 'string' ? { expires_at: values.expires } : {}),
  });
  talk('This is the only time the key is shown.');
  await (values.json === true ? printJson(made) : print(made.key));
}

async function loginLink(client: Client, origin: string | undefined, json: boolean): Promise<void> {
  if (origin === undefined)
    throw new AppError('ENGINE_DOWN', 'no server runs for this data folder', { hint: 'Start it with: crawl4r up.' });
  const { path } = await client.access.createLoginLink();
  await (json ? printJson({ url: origin + path }) : print(origin + path));
  talk('It works once, within the hour.');
}
