import { setTimeout as sleep } from 'node:timers/promises';
import { toAppError } from '../../errors.ts';
import type { Event } from '../../operations/events/event.ts';
import type { ListPage } from '../../operations/paging.ts';
import type { ApiClient } from '../http/client.ts';
import { readArguments, readNumber } from './arguments.ts';
import { usageOf } from './command-help.ts';
import { connect } from './connect.ts';
import { plain, print, printJson, talk } from './terminal.ts';

const LOOK_MS = 1_000;
const LIMIT = 50;
const PAGE = 200;
type Query = [name: string, value: string][];

/** `crawl4r events`: the latest of the log, the newest last; with --follow also those that come, until Ctrl-C. */
export async function run(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { kinds: text, crawl: text, since: text, limit: text, follow: { type: 'boolean' } as const };
  const { values } = readArguments(args, usageOf('events'), options);
  const limit = Math.min(PAGE, readNumber(values, 'limit', 1) ?? LIMIT);
  const filter = Object.entries({ kinds: values.kinds, crawl_id: values.crawl, since: values.since }).flatMap(
    ([name, value]): Query => (typeof value === 'string' ? [[name, value]] : []),
  );
  const show = (event: Event) => (values.json === true ? printJson(event) : print(lineOf(event)));
  await using api = await connect();
  const { items } = await read(api, [...filter, ['limit', String(limit)]]);
  for (const event of items.reverse()) await show(event);
  if (items.length === 0 && values.follow !== true) talk('Nothing happened yet, or nothing of this kind.');
  if (values.follow === true) await follow(api, filter, items.at(-1)?.position ?? 0, show);
}

const read = (api: ApiClient, query: Query) =>
  api.call<ListPage<Event>>('GET', `/events?${new URLSearchParams(query)}`);

async function follow(
  api: ApiClient,
  filter: Query,
  position: number,
  show: (event: Event) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  let seen = position;
  let [answers, more] = [true, false];
  while (!stop.signal.aborted) {
    try {
      const page = await read(api, [...filter, ['order', 'asc'], ['after', String(seen)], ['limit', String(PAGE)]]);
      for (const event of page.items) await show(event);
      seen = page.items.at(-1)?.position ?? seen;
      [answers, more] = [true, page.has_more];
    } catch (thrown) {
      // A server that starts again goes on where it was.
      const error = toAppError(thrown);
      if (!error.retryable) throw error;
      if (answers) talk(`${error.message}; waiting for it`);
      [answers, more] = [false, false];
    }
    if (!more) await sleep(LOOK_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  }
  process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  process.exitCode = 130;
}

function lineOf({ created_at, kind, crawl_id, subject, data }: Event): string {
  const about = [crawl_id, subject].filter((id) => id !== null).join(' ');
  return plain(`${String(created_at).slice(0, 19).replace('T', ' ')}  ${kind}  ${about}  ${JSON.stringify(data)}`);
}
