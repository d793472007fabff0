/**
 * Published signatures of Standard Webhooks: `node eval/webhooks.ts <vectors.json>`. Signs and verifies each case as the
 * specification says and ends with one JSON line: cases, and how many came out as published.
 */
import { timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { signMessage } from '../src/operations/webhooks/sign-message.ts';

interface Vector {
  name: string;
  op: 'sign' | 'verify' | 'construct';
  secret: string;
  payload?: string;
  id?: string;
  timestamp?: number;
  expected?: string;
  now?: number;
  toleranceSeconds?: number;
  headers?: Record<string, string>;
  valid?: boolean;
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node eval/webhooks.ts <vectors.json>');
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };
const wrong = vectors.filter((vector) => !holds(vector)).map(({ name }) => name);
console.log(JSON.stringify({ eval: 'webhooks', cases: vectors.length, right: vectors.length - wrong.length, wrong }));

function holds(vector: Vector): boolean {
  const { op, secret, payload = '' } = vector;
  if (op === 'sign') return signMessage([secret], vector.id!, vector.timestamp!, payload) === vector.expected;
  if (op === 'verify') return verify(vector) === vector.valid;
  try {
    signMessage([secret], '', 0, '');
    return false;
  } catch {
    return true;
  }
}

/** What a receiver does. */
function verify({ secret, payload = '', headers = {}, now = 0, toleranceSeconds = 300 }: Vector): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers;
  const timestamp = Number(time);
  if (!id || !signatures || !Number.isInteger(timestamp) || Math.abs(now - timestamp) > toleranceSeconds) return false;
  const expected = Buffer.from(signMessage([secret], id, timestamp, payload));
  return signatures
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
