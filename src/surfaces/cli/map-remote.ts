import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Discovery, DiscoveryInput } from '../../../clients/typescript/src/index.ts';
import type { Remote } from '../../config/remote.ts';
import { AppError, ERRORS, type ErrorCode } from '../../errors.ts';
import type { DiscoveredUrl, DiscoverSummary } from '../../pipeline/discover/types.ts';
import { openRemote } from './connect.ts';

const LOOK_MS = 1_000;
/** Longer than any discovery of a server takes. */
const MAX_LOOKS = 3_600;

/** What `map` finds, found by a server elsewhere as one of its jobs. Yields the addresses once the job is done. */
export async function* discoverRemotely(
  remote: Remote,
  wanted: DiscoveryInput,
  signal: AbortSignal,
): AsyncGenerator<DiscoveredUrl, DiscoverSummary> {
  await using api = await openRemote(remote);
  const done = await waitFor(api.client, wanted, signal);
  for (const found of done.urls ?? []) yield toLocal(found);
  return {
    found: done.urls?.length ?? 0,
    examined: done.examined ?? 0,
    beyond: { count: 0, samples: [] },
    problems: done.problems.map(({ url, code, message }) => ({ url, code: knownCode(code), message })),
    ...(done.limit === null ? {} : { limit: done.limit }),
  };
}

async function waitFor(client: Client, wanted: DiscoveryInput, signal: AbortSignal): Promise<Discovery> {
  let job = await client.discover.start(wanted, { signal });
  for (let looks = 0; job.completed_at === null; looks++) {
    if (looks === MAX_LOOKS)
      throw new AppError('TIMEOUT', 'the server has not finished', { hint: `See: crawl4r discover show ${job.id}` });
    await sleep(LOOK_MS, undefined, { signal });
    job = await client.discover.get(job.id, { signal });
  }
  if (job.status !== 'completed')
    throw new AppError(knownCode(job.error_code ?? ''), job.error ?? `the search is ${job.status}`);
  return job;
}

const knownCode = (code: string): ErrorCode => (code in ERRORS ? (code as ErrorCode) : 'INTERNAL_ERROR');

/** As a search on this machine writes it: names in one word, nothing for what is not known. */
function toLocal(found: NonNullable<Discovery['urls']>[number]): DiscoveredUrl {
  const { url, source, last_modified, change_frequency, ...rest } = found;
  const known = Object.entries({ lastModified: last_modified, changeFrequency: change_frequency, ...rest });
  return { url, source, ...Object.fromEntries(known.filter(([, value]) => value !== null)) };
}
