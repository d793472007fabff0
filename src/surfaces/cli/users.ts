import { AppError } from '../../errors.ts';
import type { ListPage } from '../../operations/paging.ts';
import type { PasswordLink, User } from '../../operations/people/user.ts';
import { type Arguments, readArguments } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { type Connection, connect } from './connect.ts';
import { plain, print, printJson, table, talk } from './terminal.ts';

const USAGE = usageOf('users');
/** How many words each action takes. */
const WORDS: Record<string, number> = { list: 0, invite: 1, role: 2, reset: 1, remove: 1 };

/** `crawl4r users`: people who may log in. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = readArguments(args, USAGE, { role: text, active: text }, { max: 3 });
  const [action = 'list', who = '', role = ''] = positionals;
  if (!Object.hasOwn(WORDS, action) || Math.max(0, positionals.length - 1) !== WORDS[action])
    throw new AppError('USAGE', `"${positionals.join(' ')}" does not fit`, { hint: `Usage: crawl4r ${USAGE}` });
  // Each way out awaits its work: the connection closes when this function returns.
  await using api = await connect();
  const json = values.json === true;
  if (action === 'list') return await list(api, values);
  if (action === 'invite') return await invite(api, who, values);
  const { id, email } = await find(api, who);
  if (action === 'reset')
    return await showLink(api, await api.call('POST', `/users/${id}/reset-password`), 'within the hour', json);
  if (action === 'remove') {
    await api.call('DELETE', `/users/${id}`);
    return talk(`${plain(email)} is removed`);
  }
  const changed = await api.call<User>('PATCH', `/users/${id}`, { role });
  if (json) return await printJson(changed);
  talk(`${plain(changed.email)} is ${changed.role} now`);
}

async function list(api: Connection, { role, active, json }: Arguments['values']): Promise<void> {
  const filter = { ...(typeof role === 'string' ? { role } : {}), ...(typeof active === 'string' ? { active } : {}) };
  const query = new URLSearchParams({ limit: '200', ...filter });
  const found: User[] = [];
  for (let more = true; more; ) {
    const page: ListPage<User> = await api.call('GET', `/users?${query}`);
    found.push(...page.items);
    more = page.next_cursor !== null;
    query.set('cursor', page.next_cursor ?? '');
  }
  if (json === true) return printJson(found);
  await print(table(found.map((user) => [user.id, user.role, stateOf(user), plain(user.email)])));
}

function stateOf(user: User): string {
  if (!user.is_active) return 'off';
  if (user.has_password || user.has_provider) return 'active';
  return user.link_expires_at === null ? 'invite expired' : 'invited';
}

/** A person who was invited before gets a new link. */
async function invite(api: Connection, email: string, { role, json }: Arguments['values']): Promise<void> {
  const known = await findByEmail(api, email);
  const link: PasswordLink =
    known === undefined
      ? (await api.call<{ invite: PasswordLink }>('POST', '/users', { email, ...(role === undefined ? {} : { role }) }))
          .invite
      : await api.call('POST', `/users/${known.id}/invite`);
  await showLink(api, link, 'within 7 days', json === true);
}

async function showLink(api: Connection, link: PasswordLink, when: string, json: boolean): Promise<void> {
  const url = `${api.origin ?? ''}${link.path}`;
  await (json ? printJson({ url, expires_at: link.expires_at }) : print(url));
  if (api.origin === undefined) talk('Put the address of the server before it: none runs for this data folder now.');
  talk(`It works once, ${when}, and is shown this once.`);
}

async function findByEmail(api: Connection, email: string): Promise<User | undefined> {
  const page = await api.call<ListPage<User>>('GET', `/users?${new URLSearchParams({ email })}`);
  return page.items[0];
}

async function find(api: Connection, who: string): Promise<User> {
  if (!who.includes('@')) return api.call('GET', `/users/${encodeURIComponent(who)}`);
  const user = await findByEmail(api, who);
  if (user === undefined)
    throw new AppError('NOT_FOUND', `there is nobody with the address ${who}`, { hint: 'crawl4r users list' });
  return user;
}
