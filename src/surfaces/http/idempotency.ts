import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  claimIdempotencyKey,
  findIdempotencyKey,
  type IdempotencyKey,
  keepIdempotentAnswer,
  releaseIdempotencyKey,
} from '../../db/access/idempotency.ts';
import { AppError } from '../../errors.ts';
import type { Caller } from '../../operations/access/caller.ts';
import type { Database } from '../../ports/database.ts';
import { findUnstorable } from '../../text/storable.ts';

const ABANDONED_S = 120;
const WAIT_MS = 10_000;

const Header = z
  .string()
  .min(1)
  .max(255)
  .refine((value) => findUnstorable(value) === undefined);

export interface Answer {
  status: number;
  body: unknown;
  replayed: boolean;
}

export interface IdempotentRequest {
  header: string | string[] | undefined;
  caller: Caller;
  /** Method and path as sent: the same key on another resource is another key. */
  route: string;
  body: unknown;
  /** The answer holds a secret: it is kept only under the credential the caller came with. */
  sealed: boolean;
}

/**
 * Does the work once per key: a repetition gets the first answer, one that comes while the first is at work waits for
 * it, and a different request under the same key is refused. Failures are not kept.
 */
export async function runOnce(
  database: Database,
  request: IdempotentRequest,
  work: () => Promise<{ status: number; body: unknown }>,
): Promise<Answer> {
  if (request.header === undefined) return { ...(await work()), replayed: false };
  const header = Header.safeParse(request.header);
  if (!header.success)
    throw new AppError('VALIDATION_FAILED', 'Idempotency-Key is not usable', {
      details: { 'header.idempotency-key': 'one value of 1 to 255 characters' },
    });
  const key: IdempotencyKey = { caller: request.caller.name, route: request.route, key: header.data };
  const hash = createHash('sha256').update(canonical(request.body)).digest();
  const deadline = performance.now() + WAIT_MS;
  while (!(await claimIdempotencyKey(database, key, hash, ABANDONED_S))) {
    const row = await findIdempotencyKey(database, key);
    if (row === undefined) continue;
    if (!row.request_hash.equals(hash))
      throw new AppError('IDEMPOTENCY_MISMATCH', 'this Idempotency-Key was used for a different request');
    if (row.status !== null) return { status: row.status, body: open(row.response, request), replayed: true };
    if (performance.now() > deadline)
      throw new AppError('CONFLICT', 'the first request with this Idempotency-Key is still at work', {
        retryAfterMs: 5_000,
        hint: 'Wait a few seconds, then send it again.',
      });
    await sleep(100);
  }
  let answer: { status: number; body: unknown };
  try {
    answer = await work();
  } catch (error) {
    await releaseIdempotencyKey(database, key).catch(() => undefined);
    throw error;
  }
  const body: unknown = JSON.parse(JSON.stringify(answer.body ?? null));
  await keepIdempotentAnswer(database, key, answer.status, request.sealed ? seal(body, request.caller) : body);
  return { ...answer, replayed: false };
}

/** The same value whatever the order of its keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const sealKey = (caller: Caller) =>
  createHash('sha256')
    .update(`idempotency:${caller.credential ?? ''}`)
    .digest();

function seal(body: unknown, caller: Caller): { sealed: string } {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealKey(caller), iv);
  const bytes = Buffer.concat([cipher.update(JSON.stringify(body)), cipher.final()]);
  return { sealed: Buffer.concat([iv, cipher.getAuthTag(), bytes]).toString('base64') };
}

function open(response: unknown, request: IdempotentRequest): unknown {
  if (!request.sealed) return response;
  const bytes = Buffer.from((response as { sealed: string }).sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', sealKey(request.caller), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8'));
  } catch (cause) {
    // The same user in a new session: the work is done, but its answer can no longer be decrypted.
    throw new AppError('CONFLICT', 'this was done before, and its answer is sealed to the session that asked', {
      cause,
      hint: 'Use a new Idempotency-Key.',
    });
  }
}
