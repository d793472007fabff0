import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { type CaptureKind, type CaptureRow, findCaptureByKey, insertCapture } from '../../db/media/captures.ts';
import { newId } from '../../ids.ts';
import type { Captured, CaptureRequest } from '../../pipeline/fetch/capture.ts';
import { type CaptureCaller, type CaptureInput, timeoutOf, visitForCapture } from './capture.ts';
import { type Flights, shareWork } from './share-work.ts';

interface CaptureJob {
  kind: CaptureKind;
  input: CaptureInput;
  /** What else the result depends on, besides the address, the wait and the viewport. */
  options: Record<string, unknown>;
  /** Something of the caller's own goes into it: no other caller gets it as an answer. */
  private: boolean;
  contentType: string;
  make(request: CaptureRequest): Promise<{ page: Captured; bytes: Uint8Array }>;
}

interface Capture {
  row: CaptureRow;
  bytes: Uint8Array;
}

const POLL_MS = 200;
/** Longer than storing a capture takes. */
const SLACK_MS = 10_000;

const underWay = new WeakMap<App, Flights<Capture & { cached: boolean }>>();

/**
 * A capture, from the store when the same one was made a short while ago. Requests for the same at the same time make it once:
 * in a process they share the work, between processes those without the lock wait for the row of the one that has it.
 */
export async function takeCapture(
  app: App,
  job: CaptureJob,
  { owner = 'system', signal }: CaptureCaller,
): Promise<Capture & { cached: boolean }> {
  const key = keyOf(job, owner);
  const make = async (stop: AbortSignal | undefined) => {
    const { page, bytes } = await visitForCapture(app, job.input, stop, job.make);
    return { ...(await keep(app, job, { key, owner, page, bytes })), cached: false };
  };
  if (job.input.fresh || app.settings.media.cacheS === 0) return make(signal);
  const flights = underWay.get(app) ?? new Map();
  underWay.set(app, flights);
  const name = key.toString('hex');
  const timeoutMs = timeoutOf(app, job.input);
  const { value, shared } = await shareWork(flights, `${name}:${timeoutMs}`, signal, (stop) =>
    findOrMake(app, name, key, timeoutMs, stop, () => make(stop)),
  );
  return { ...value, cached: value.cached || shared };
}

async function findOrMake(
  app: App,
  name: string,
  key: Uint8Array,
  timeoutMs: number,
  signal: AbortSignal,
  make: () => Promise<Capture & { cached: boolean }>,
): Promise<Capture & { cached: boolean }> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const kept = await findKept(app, key);
    if (kept !== undefined) return { ...kept, cached: true };
    // A cache that does not answer only means that two processes may make the same.
    const lock = await app.cache.lock(`capture:${name}`, timeoutMs + SLACK_MS).catch(() => null);
    if (lock === undefined && performance.now() < deadline) {
      await sleep(POLL_MS, undefined, { signal });
      continue;
    }
    try {
      // The holder before may have finished between the look above and the lock.
      const late = await findKept(app, key);
      return late === undefined ? await make() : { ...late, cached: true };
    } finally {
      await Promise.resolve(lock?.[Symbol.asyncDispose]()).catch(() => {});
    }
  }
}

/** Undefined as well when its bytes are gone. */
async function findKept(app: App, key: Uint8Array): Promise<Capture | undefined> {
  const row = await findCaptureByKey(app.database, key, app.settings.media.cacheS);
  const bytes = row === undefined ? undefined : await app.blobs.get(row.blob_ref);
  return row === undefined || bytes === undefined ? undefined : { row, bytes };
}

async function keep(
  app: App,
  job: CaptureJob,
  made: { key: Uint8Array; owner: string; page: Captured; bytes: Uint8Array },
): Promise<Capture> {
  const { key, owner, page, bytes } = made;
  const { reference } = await app.blobs.write(
    (async function* () {
      yield bytes;
    })(),
  );
  const row = await insertCapture(
    app.database,
    {
      id: newId(),
      kind: job.kind,
      url: job.input.url,
      key,
      private: job.private,
      owner,
      page: toStorable(page),
      blob_ref: reference,
      bytes: bytes.length,
      content_type: job.contentType,
    },
    app.settings.retention.capturesD,
  );
  return { row, bytes };
}

/** The title comes from the page: PostgreSQL takes no NUL characters and no halves of surrogate pairs. */
const toStorable = ({ url, status, title }: Captured): Captured => ({
  url,
  status,
  title: title.toWellFormed().replaceAll('\0', '\ufffd').slice(0, 1_000),
});

/** How long a caller would wait is no part of it: it does not change the result. */
function keyOf({ kind, input, options, private: own }: CaptureJob, owner: string): Buffer {
  const { url, wait_for, wait_seconds, viewport } = input;
  const parts = [kind, url, wait_for, wait_seconds, viewport?.width, viewport?.height, Object.entries(options).sort()];
  return createHash('sha256')
    .update(JSON.stringify([...parts, own ? owner : null]))
    .digest();
}
