import { type Client, type ListPage, part } from '../../../clients/typescript/src/index.ts';
import { AppError } from '../../errors.ts';
import { type Arguments, readArguments, readNumber } from './arguments.ts';
import { connect } from './connect.ts';
import { counted, plain, print, printJson, table, talk } from './terminal.ts';

/** How an option is written on the command line, and sent. */
export type Kind = 'TEXT' | 'N' | 'PRIORITY' | 'true|false' | 'JSON' | 'A,B' | 'SWITCH';

/** One thing that can be done with a kind of resource: a route, and the words that fill it. */
export interface Action {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under /api/v1; the words of the command fill its parts in order. */
  path: string;
  /** The field the words after those fill. One that ends in … takes them all, as a list. */
  field?: string;
  options?: Record<string, Kind>;
  /** One of these must be given: what would happen without any is too much to happen by accident. */
  oneOf?: readonly string[];
  /** A change sends these again as they are, but for what is given. */
  keep?: readonly string[];
  /** The answer is a list, and read page by page. */
  lists?: boolean;
}

export interface Resource {
  /** Of its help. */
  about: string;
  /** What one is called, and several. */
  noun: readonly [string, string];
  /** Said instead of an empty list: where they come from. */
  empty: string;
  row(item: never): string[];
  /** The first one is meant when none is named. */
  actions: Record<string, Action>;
}

const LIMIT = 50;
const PAGE = 200;
/** Options that stand for an id say what of. */
const FIELDS: Record<string, string> = { crawl: 'crawl_id', collection: 'collection_id', config: 'crawl_config_id' };
const fieldOf = (option: string) => FIELDS[option] ?? option.replaceAll('-', '_');
const partsOf = ({ path }: Action) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!.toUpperCase());

/** The line that says how an action is written. */
export function actionUsage(name: string, step: string, action: Action): string {
  const words = [...partsOf(action), ...(action.field === undefined ? [] : [wordOf(action.field)])];
  const options = Object.entries({ ...action.options, ...(action.lists ? { limit: 'N' } : {}) });
  return [
    name,
    step,
    ...words,
    ...options.map(([option, kind]) => `[--${option}${kind === 'SWITCH' ? '' : ` ${kind}`}]`),
    '[--json]',
  ].join(' ');
}
const wordOf = (field: string) => field.toUpperCase().replace(/S…$/, '…');

export const manage = (name: string, resource: Resource) => ({ run: (args: string[]) => run(name, resource, args) });

async function run(name: string, resource: Resource, args: readonly string[]): Promise<void> {
  const { actions } = resource;
  const [first] = Object.keys(actions) as [string, ...string[]];
  const named = args[0] !== undefined && args[0] in actions;
  const step = named ? args[0]! : first;
  const action = actions[step]!;
  const words = partsOf(action).length + (action.field === undefined ? 0 : 1);
  if (!named && words === 0 && args[0] !== undefined && !args[0].startsWith('-'))
    throw new AppError('USAGE', `${name} has no action "${args[0]}"`, {
      hint: `Use one of: ${Object.keys(actions).join(', ')}.`,
    });
  const kinds: Record<string, Kind> = { ...action.options, ...(action.lists ? { limit: 'N' } : {}) };
  const given = readArguments(
    named ? args.slice(1) : args,
    actionUsage(name, named ? step : '', action).replace('  ', ' '),
    Object.fromEntries(
      Object.entries(kinds).map(
        ([option, kind]) => [option, { type: kind === 'SWITCH' ? 'boolean' : 'string' }] as const,
      ),
    ),
    { min: words, max: action.field?.endsWith('…') ? 1_000 : words },
  );
  if (action.oneOf !== undefined && !action.oneOf.some((option) => given.values[option] !== undefined))
    throw new AppError('USAGE', `${name} ${step} needs ${action.oneOf.map((option) => `--${option}`).join(' or ')}`, {
      hint: `Usage: crawl4r ${actionUsage(name, step, action)}`,
    });
  const limit = action.lists ? (readNumber(given.values, 'limit', 1) ?? LIMIT) : undefined;
  const { path, fields } = read(action, given);
  await using api = await connect();
  const { client } = api;
  const json = given.values.json === true;
  if (limit !== undefined) return await showList(resource, await readList(client, path, fields, limit), json);
  await showOne(await call(client, action, path, fields), json);
}

function read(action: Action, { values, positionals }: Arguments): { path: string; fields: Record<string, unknown> } {
  const rest = [...positionals];
  const path = action.path.replace(/:\w+/g, () => readPart(rest.shift() ?? ''));
  const { field } = action;
  const fields: Record<string, unknown> =
    field === undefined
      ? {}
      : field.endsWith('…')
        ? { [field.slice(0, -1)]: rest }
        : { [field]: readValue(field, field === 'priority' ? 'PRIORITY' : 'TEXT', rest[0]!) };
  for (const [option, kind] of Object.entries(action.options ?? {})) {
    const value = values[option];
    if (typeof value === 'string') fields[fieldOf(option)] = readValue(option, kind, value);
  }
  return { path, fields };
}

function readPart(word: string): string {
  try {
    return part(word);
  } catch (cause) {
    throw new AppError('USAGE', (cause as Error).message, { cause });
  }
}

function readValue(option: string, kind: Kind, value: string): unknown {
  const wrong = (takes: string, cause?: unknown) =>
    new AppError('USAGE', `--${option} takes ${takes}, not "${value}"`, { cause });
  if (value === 'default') return null;
  if (kind === 'A,B') return value.split(',').map((entry) => entry.trim());
  if (kind === 'true|false' && value !== 'true' && value !== 'false') throw wrong('true or false');
  if (kind === 'N' && (value.trim() === '' || !Number.isFinite(Number(value)))) throw wrong('a number');
  if (kind === 'TEXT' || (kind === 'PRIORITY' && !/^\d+$/.test(value))) return value;
  try {
    return JSON.parse(kind === 'N' || kind === 'PRIORITY' ? String(Number(value)) : value);
  } catch (error) {
    throw wrong('JSON', error);
  }
}

async function call(client: Client, action: Action, path: string, fields: Record<string, unknown>): Promise<unknown> {
  if (action.method === 'GET' || path === '/frontier') {
    return client.request(action.method, path, undefined, { query: fields });
  }
  const before = action.keep === undefined ? {} : await client.request<Record<string, unknown>>('GET', path);
  const kept = Object.fromEntries((action.keep ?? []).map((name) => [name, before[name]]));
  const body = { ...kept, ...fields };
  const hasBody = action.options !== undefined || action.field !== undefined;
  return client.request(action.method, path, hasBody ? body : undefined);
}

async function readList(client: Client, path: string, fields: Record<string, unknown>, wanted: number) {
  const query: Record<string, unknown> = { ...fields };
  const found: unknown[] = [];
  while (found.length < wanted) {
    query.limit = Math.min(PAGE, wanted - found.length);
    const page = await client.request<ListPage<unknown>>('GET', path, undefined, { query });
    found.push(...page.items);
    if (page.next_cursor === null) return { found, more: false };
    query.cursor = page.next_cursor;
  }
  return { found, more: true };
}

async function showList(
  { row, noun, empty }: Resource,
  { found, more }: { found: unknown[]; more: boolean },
  json: boolean,
): Promise<void> {
  if (json) for (const item of found) await printJson(item);
  else if (found.length > 0) await print(table(found.map((item) => row(item as never).map(plain))));
  else talk(empty);
  if (json || found.length > 0) talk(`${counted(found.length, ...noun)}${more ? '; --limit shows more' : ''}`);
}

/** One field a line; what is empty is left out, what has parts is shown as JSON. */
async function showOne(answer: unknown, json: boolean): Promise<void> {
  if (answer === undefined || answer === null) return talk('done');
  if (json) return printJson(answer);
  const lines = Object.entries(answer)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [
      name.replaceAll('_', ' '),
      plain(typeof value === 'object' ? JSON.stringify(value) : String(value)),
    ]);
  await print(table(lines, Number.POSITIVE_INFINITY));
}
